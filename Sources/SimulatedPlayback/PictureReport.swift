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

  package init() {}
}

extension PlayerItem {
  /// Says what colour the pictures have, when the first are there and when it changes.
  func noteColour(on display: Display?, at now: Instant, on stage: inout Stage) {
    guard status == .readyToPlay, let colour = pictureColour(at: now) else { return }
    if notedColour == .some(colour) { return }
    notedColour = .some(colour)
    let (composition, output) = (settings.pictures.composition, settings.pictures.output)
    let composed = composition?.sourceFrames(colour)
    let pictures: [(taker: PictureTaker, colour: DeliveredColour?)] = [
      (.display, display?.shows(colour)), (.composition, composed),
      (.videoOutput, output?.delivers(composed.map { $0.tags } ?? colour)),
    ]
    for case (let taker, let delivered?) in pictures {
      let picture = PictureColour(taker: taker, source: colour, delivered: delivered)
      stage.log.note(.pictureColour(picture), of: subject, at: now)
    }
  }

  /// The colour of what is played: of the file's first enabled video track, or of the variant. The
  /// inner nil stands for a colour that the media does not state, the outer one for no video.
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
