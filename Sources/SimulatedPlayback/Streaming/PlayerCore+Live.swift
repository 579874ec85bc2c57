import Autowait
import StreamingMedia
package import VirtualTime

// What the app asks of a live stream.

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

extension PlayerItem {
  /// Where a seek to a time goes; nil where that lies outside what can be sought.
  ///
  /// A stream whose playlists are not there yet begins where it is told to.
  func placeToSeek(_ time: MediaTime) -> MediaTime? {
    guard let loader = loader.live else { return min(time, duration) }
    guard let range = LivePlace(loader)?.seekableRange else {
      settings.startTime = time
      return time
    }
    return time < range.lowerBound ? nil : min(time, range.upperBound)
  }

  /// Where a live stream would begin now.
  fileprivate var liveTarget: MediaTime? {
    loader.live.flatMap { LivePlace($0)?.edge(settings.live) }
  }
}

extension MediaLoader {
  /// What loads a stream that grows; nil where everything is there.
  var live: StreamLoader? {
    switch self {
    case .file: nil
    case .stream(let loader): loader.live == nil ? nil : loader
    }
  }

  var isEndKnown: Bool {
    switch self {
    case .file: true
    case .stream(let loader): loader.isEndKnown
    }
  }
}
