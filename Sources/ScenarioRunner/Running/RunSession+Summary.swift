import SimulatedPlayback
import SimulatedWorld
import StreamingMedia
import VirtualTime

extension PlayerSummary {
  init(_ core: PlayerCore, at now: Instant) {
    let books = core.books
    startupDelay = books.startupDelay
    stallCount = books.stallCount
    stalled = books.stalled
    waiting = books.waiting
    played = books.played
    paused = books.paused
    seekWaiting = books.seekWaiting
    bytesTransferred = core.bytesTransferred(at: now)
    requestCount = core.requestCount
    variantSwitchCount = core.variantSwitchCount
    averageBitRate = core.itemSettings?.source.averageBitRate
  }
}

extension JSONWriter {
  /// The figures of a player under the names that are the same wherever they occur.
  public mutating func members(of summary: PlayerSummary) {
    key("startupDelaySeconds")
    if let delay = summary.startupDelay { seconds(delay.nanoseconds) } else { null() }
    key("stallCount")
    integer(summary.stallCount)
    key("stalledSeconds")
    seconds(summary.stalled.nanoseconds)
    key("waitingSeconds")
    seconds(summary.waiting.nanoseconds)
    key("playedSeconds")
    seconds(summary.played.nanoseconds)
    key("pausedSeconds")
    seconds(summary.paused.nanoseconds)
    key("rebufferRatio")
    decimal(summary.rebufferShare, places: 6)
    key("seekWaitingSeconds")
    seconds(summary.seekWaiting.nanoseconds)
    key("bytesTransferred")
    integer(summary.bytesTransferred)
    key("requestCount")
    integer(summary.requestCount)
    key("variantSwitchCount")
    integer(summary.variantSwitchCount)
    key("averageBitrate")
    if let rate = summary.averageBitRate { integer(rate.roundedDown) } else { null() }
  }
}

extension RunSession {
  func writeSummary(end: EndReason, _ summary: PlayerSummary, to writer: inout JSONWriter) {
    writer.key("end")
    writer.string(end.word)
    writer.key("fidelity")
    writer.string(scenario.fidelity.word)
    writer.members(of: summary)
  }
}
