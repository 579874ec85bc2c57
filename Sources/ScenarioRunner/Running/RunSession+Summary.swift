import LinkConditioner
import SimulatedPlayback
import SimulatedWorld
package import StreamingMedia
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
    bytesAbandoned = core.bytesAbandoned
    playlistBytesSaved = core.playlistBytesSaved
    requestCount = core.requestCount
    variantSwitchCount = core.variantSwitchCount
    pipeline = books.pipeline
    transitionCount = books.transitionCount
    totalGap = books.totalGap
    loopCount = books.loopCount
    longestQueue = core.longestQueue
    emptyVideo = books.emptyVideo
    silentAudio = books.silentAudio
    timeOffsetFromLive = core.timeOffsetFromLive(at: now)
    averageBitRate =
      core.itemSettings?.source.averageBitRate
      ?? core.indicators(at: now).averageBitrate.map { .bitsPerSecond($0) }
  }
}

extension JSONWriter {
  /// The figures of a player under the names that are the same wherever they occur.
  package mutating func members(of summary: PlayerSummary) {
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
    for (name, bytes) in [
      ("bytesAbandoned", summary.bytesAbandoned),
      ("playlistBytesSaved", summary.playlistBytesSaved),
    ] where bytes > 0 {
      key(name)
      integer(bytes)
    }
    key("requestCount")
    integer(summary.requestCount)
    key("variantSwitchCount")
    integer(summary.variantSwitchCount)
    key("averageBitrate")
    if let rate = summary.averageBitRate { integer(rate.roundedDown) } else { null() }
    if let offset = summary.timeOffsetFromLive {
      key("timeOffsetFromLiveSeconds")
      seconds(offset.nanoseconds)
    }
    if summary.pipeline > .zero {
      key("pipelineSeconds")
      seconds(summary.pipeline.nanoseconds)
    }
    queueMembers(of: summary)
  }

  /// What only players have that play one thing after another.
  private mutating func queueMembers(of summary: PlayerSummary) {
    if summary.transitionCount > 0 {
      key("transitionCount")
      integer(summary.transitionCount)
      key("gapSeconds")
      seconds(summary.totalGap.nanoseconds)
    }
    for (name, count) in [("loopCount", summary.loopCount), ("longestQueue", summary.longestQueue)]
    where count > 0 {
      key(name)
      integer(count)
    }
    for (name, time) in [
      ("emptyVideoSeconds", summary.emptyVideo), ("silentAudioSeconds", summary.silentAudio),
    ] where time > .zero {
      key(name)
      seconds(time.nanoseconds)
    }
    if summary.warnings.isEmpty { return }
    key("warnings")
    beginArray()
    for warning in summary.warnings { string(warning) }
    endArray()
  }
}

extension SizeSource {
  /// What of a playlist says the size.
  package var word: String {
    switch self {
    case .exact: "EXT-X-BYTERANGE"
    case .segmentBitRate: "EXT-X-BITRATE"
    case .averageBandwidth: "AVERAGE-BANDWIDTH"
    case .peakBandwidth: "BANDWIDTH"
    case .assumed, .gap: "assumed"
    }
  }
}

extension JSONWriter {
  /// Where the sizes of segments come from.
  package mutating func segmentSizes(_ report: SizeReport) {
    key("segmentSizes")
    beginObject()
    key("variants")
    string(report.variants.word)
    if let audio = report.audio {
      key("audio")
      string(audio.word)
    }
    endObject()
  }
}

extension JSONWriter {
  /// The figures of further players; nothing where there are none.
  package mutating func players(_ others: [NamedSummary]) {
    if others.isEmpty { return }
    key("players")
    beginArray()
    for other in others {
      beginObject()
      key("player")
      string(other.name)
      members(of: other.player)
      endObject()
    }
    endArray()
  }
}

extension RunSession {
  func writeSummary(
    end: EndReason, _ summary: PlayerSummary, _ others: [NamedSummary],
    to writer: inout JSONWriter
  ) {
    writer.key("end")
    writer.string(end.word)
    writer.key("fidelity")
    writer.string(scenario.fidelity.word)
    writer.members(of: summary)
    if case .stream(let settings) = item.source, let report = settings.presentation.sizeReport {
      writer.segmentSizes(report)
    }
    if let packets = world.link.packetBooks {
      writer.key("packets")
      writer.beginObject()
      writer.key("downlink")
      writer.packets(packets.downlink)
      writer.key("uplink")
      writer.packets(packets.uplink)
      writer.endObject()
    }
    writer.players(others)
    if !leaked.isEmpty { writeLeakedPlayers(to: &writer) }
  }

  private func writeLeakedPlayers(to writer: inout JSONWriter) {
    writer.key("leakedPlayers")
    writer.beginArray()
    for player in leaked {
      writer.beginObject()
      writer.key("bytesTransferred")
      writer.integer(player.core.bytesTransferred(at: world.now))
      writer.key("requestCount")
      writer.integer(player.core.requestCount)
      writer.endObject()
    }
    writer.endArray()
  }
}

extension JSONWriter {
  /// What became of every packet of a direction: how many, and their bytes on the wire.
  fileprivate mutating func packets(_ counters: PathCounters) {
    beginObject()
    for (name, count) in [
      ("sent", counters.sent), ("delivered", counters.delivered), ("lost", counters.lost),
      ("dropped", counters.overflowed), ("inFlight", counters.inFlight),
    ] {
      key(name)
      integer(count.packets)
    }
    key("bytesSent")
    integer(counters.sent.bytes)
    key("bytesDelivered")
    integer(counters.delivered.bytes)
    endObject()
  }
}
