import GoldilocksTesting
import PlayerInterfaces

// The simulator's half of the seam.

extension MediaTime: MediaTimeInterface {}
extension TimeControlStatus: TimeControlStatusInterface {}
extension WaitingReason: WaitingReasonInterface {}
extension SimulatedPlayerItem.Status: ItemStatusInterface {}
extension SimulatedPlayer: PlayerInterface {}

extension SimulatedPlayerItem: PlayerItemInterface {
  public var loadedSeconds: [ClosedRange<Double>] { loadedTimeRanges.map(\.seconds) }
  public var seekableSeconds: [ClosedRange<Double>] { seekableTimeRanges.map(\.seconds) }
  public var indicatedBitrate: Double? {
    accessLog()?.events.last.flatMap { $0.indicatedBitrate < 0 ? nil : $0.indicatedBitrate }
  }
}
