import Autowait
import StreamingMedia
public import VirtualTime

// The app's calls that concern live streams.

extension PlayerCore {
  /// Seeks to where a live stream would begin now: what a seek to positive infinity does.
  package func seekToLive(at now: Instant, on stage: inout Stage) {
    guard let item, let time = item.liveTarget else { return }
    do throws(PlayerError) {
      try seek(to: time, at: now, on: &stage)
    } catch {
      preconditionFailure("a place in a live stream is not negative")
    }
  }
}

/// The distance from its target at which a seek may end, where that is faster.
public struct SeekTolerance: Hashable, Sendable {
  public var before: MediaTime
  public var after: MediaTime

  public init(before: MediaTime = .zero, after: MediaTime = .zero) {
    self.before = before
    self.after = after
  }

  /// To the sample, which is what a scenario means that names none.
  public static let none = SeekTolerance()
}

extension PlayerItem {
  // "May differ from the specified time for efficiency" (AVPlayer.seek(to:)). What is efficient is
  // our assumption: what is loaded, then the segment or the key frame before it.
  /// The target of a seek that need not be exact.
  func placeToSeek(
    _ time: MediaTime, within tolerance: SeekTolerance, at now: Instant
  ) -> MediaTime? {
    guard let exact = placeToSeek(time) else { return nil }
    if tolerance == .none || loader.loadedEnd(from: exact, at: now) > exact { return exact }
    for range in loader.loadedTimeRanges(at: now)
    where range.lowerBound > exact && range.lowerBound <= exact + tolerance.after {
      return range.lowerBound
    }
    guard let start = loader.accessPoint(before: exact), exact - start <= tolerance.before else {
      return exact
    }
    return start
  }

  // AVPlayerItem.seek(to:): a target outside seekableTimeRanges is cancelled.
  /// The position that a seek to a time reaches; nil where that lies outside what can be sought.
  ///
  /// What lies ahead of the live edge is there soon: that such a seek goes to the edge is our
  /// assumption. A stream whose playlists are not there yet begins where it is told to.
  func placeToSeek(_ time: MediaTime) -> MediaTime? {
    guard let loader = loader.live else { return time > duration ? nil : time }
    guard let range = LivePlace(loader)?.seekableRange else {
      settings.startTime = time
      return time
    }
    return time < range.lowerBound ? nil : min(time, range.upperBound)
  }

  /// The position at which a live stream would begin now.
  fileprivate var liveTarget: MediaTime? {
    loader.live.flatMap { LivePlace($0)?.edge(settings.live) }
  }
}

extension MediaLoader {
  /// The access point for decoding at or before a time: the start of a segment; nil for a file, of
  /// whose frames nothing is known.
  fileprivate func accessPoint(before time: MediaTime) -> MediaTime? {
    guard let stream, let list = stream.intake.tracks.mainList else { return nil }
    let segments = stream.presentation.lists[list]
    return segments.index(at: time).map { segments.segments[$0].start }
  }

  /// The loader of a live stream; nil for any other media.
  var live: StreamLoader? { stream?.live == nil ? nil : stream }

  var isEndKnown: Bool { stream?.isEndKnown ?? true }
}
