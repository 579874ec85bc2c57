#if canImport(AVFoundation)
  import AVFoundation

  extension CMTime: MediaTimeInterface {}
  extension AVPlayer.TimeControlStatus: TimeControlStatusInterface {}
  extension AVPlayer.WaitingReason: WaitingReasonInterface {}
  extension AVPlayerItem.Status: ItemStatusInterface {}

  extension AVPlayerItem: PlayerItemInterface {
    public var loadedSeconds: [ClosedRange<Double>] { loadedTimeRanges.map(\.seconds) }
    public var seekableSeconds: [ClosedRange<Double>] { seekableTimeRanges.map(\.seconds) }
    public var indicatedBitrate: Double? {
      accessLog()?.events.last.flatMap { $0.indicatedBitrate < 0 ? nil : $0.indicatedBitrate }
    }
  }

  extension NSValue {
    fileprivate var seconds: ClosedRange<Double> {
      let range = timeRangeValue
      return range.start.seconds...range.end.seconds
    }
  }

  extension AVPlayer: PlayerInterface {
    public func observeState(_ changed: @escaping @MainActor @Sendable () -> Void) -> AnyObject {
      // Key-value observers may be called on any thread.
      func observe<Value>(_ property: KeyPath<AVPlayer, Value>) -> NSKeyValueObservation {
        self.observe(property) { _, _ in Task { @MainActor in changed() } }
      }
      return [
        observe(\.timeControlStatus), observe(\.rate), observe(\.currentItem),
        observe(\.currentItem?.status), observe(\.currentItem?.isPlaybackLikelyToKeepUp),
        observe(\.currentItem?.isPlaybackBufferFull),
        observe(\.currentItem?.isPlaybackBufferEmpty), observe(\.currentItem?.loadedTimeRanges),
      ] as NSArray
    }
  }
#endif
