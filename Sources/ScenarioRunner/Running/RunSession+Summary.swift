import ExactText
import LinkConditioner
import ScenarioFormat
import SimulatedPlayback
import SimulatedWorld
package import StreamingMedia
import VirtualTime

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
      figures(of: other.player)
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
    writer.figures(of: summary)
    writer.warnings(of: summary)
    if case .stream(let settings) = scenario.item.source,
      let report = settings.presentation.sizeReport
    {
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
      writer.integer(player.core.counts.requests)
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
