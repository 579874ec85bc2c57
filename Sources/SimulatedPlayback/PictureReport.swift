import LinkConditioner
package import StreamingMedia
import VirtualTime

// The colour of video frames, and its changes on the way to their consumer.

/// A consumer of an item's video frames.
package enum PictureTaker: String, Hashable, Sendable, CaseIterable {
  case display
  case composition
  case videoOutput
}

/// The colour of pictures where they are handed over.
public struct PictureColour: Hashable, Sendable {
  package var taker: PictureTaker
  /// As the media says it; nil where it says nothing.
  package var source: ColourTriple?
  package var delivered: DeliveredColour
}

/// The destinations of an item's video frames beside the layer.
public struct PictureUse: Hashable, Sendable {
  /// The colours that an `AVPlayerItemVideoOutput` asks for; nil without one.
  package var output: ColourRequest?
  /// The settings of an `AVVideoComposition`; nil without one.
  package var composition: CompositionColour?

  package init(output: ColourRequest? = nil, composition: CompositionColour? = nil) {
    self.output = output
    self.composition = composition
  }
}

/// The log records on the colour of an item's video.
struct PictureReport {
  let item: PlayerItem
  let settings: PlayerSettings

  /// Says what colour the pictures have, when the first are there and when it changes.
  func note(at now: Instant, on stage: inout Stage) {
    guard item.status == .readyToPlay, let colour = item.pictureColour(at: now) else { return }
    if item.notedColour == .some(colour) { return }
    item.notedColour = .some(colour)
    for taker in takers {
      let picture = PictureColour(
        taker: taker, source: colour, delivered: handedOver(colour, to: taker))
      stage.log.note(.pictureColour(picture), of: item.subject, at: now)
    }
  }

  private var takers: [PictureTaker] {
    var takers: [PictureTaker] = settings.display == nil ? [] : [.display]
    if item.settings.pictures.composition != nil { takers.append(.composition) }
    if item.settings.pictures.output != nil { takers.append(.videoOutput) }
    return takers
  }

  private func handedOver(_ source: ColourTriple?, to taker: PictureTaker) -> DeliveredColour {
    let pictures = item.settings.pictures
    switch taker {
    case .display:
      return settings.display?.shows(source) ?? untouched(source)
    case .composition:
      return pictures.composition?.sourceFrames(source) ?? untouched(source)
    case .videoOutput:
      let composed = pictures.composition.map { $0.sourceFrames(source).tags } ?? source
      return (pictures.output ?? .unspecified).delivers(composed)
    }
  }

  private func untouched(_ source: ColourTriple?) -> DeliveredColour {
    DeliveredColour(tags: source, isConverted: false, isClamped: false)
  }
}

extension PlayerItem {
  /// Whether somebody beside the layer takes its pictures.
  var takesPictures: Bool {
    settings.pictures.composition != nil || settings.pictures.output != nil
  }

  /// The colour of what is played: of the file's first picture track that is enabled, or of the
  /// variant. The inner nil stands for a colour of which the media says nothing, the outer one for
  /// no pictures.
  fileprivate func pictureColour(at now: Instant) -> ColourTriple?? {
    switch settings.source {
    case .local(let file), .progressive(let file):
      .some(
        file.trackList.indices.first {
          file.trackList[$0].kind == .video && !settings.disabledTracks.contains($0)
        }.flatMap { file.trackList[$0].colour })
    case .stream(let stream):
      playingVariant(at: now).map { stream.presentation.variants[$0].attributes.colour }
    }
  }
}
