package import ExactText
import LinkConditioner
import Recording
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
  ///
  /// - Parameter more: Writes further members of the player at a place.
  package mutating func players(
    _ others: [NamedSummary], _ more: (inout JSONWriter, Int) -> Void = { _, _ in }
  ) {
    if others.isEmpty { return }
    key("players")
    beginArray()
    for (place, other) in others.enumerated() {
      beginObject()
      key("player")
      string(other.name)
      figures(of: other.player)
      more(&self, place)
      endObject()
    }
    endArray()
  }
}

extension JSONWriter {
  fileprivate mutating func books(_ books: ClosedBooks) {
    key("books")
    document(FieldPass.written(books, ClosedBooks.members))
  }
}

extension PlayerFolds {
  init(of scenario: Scenario, isShown: Bool, _ moments: [Instant] = []) {
    self.init(
      of: scenario.item.source.file, namesItems: scenario.queue != nil, isShown: isShown,
      moments: moments)
  }
}

extension ClosedBooks {
  /// The members of the last line of the trace that are about a player.
  init(_ session: RunSession) {
    let core = session.player.core
    self.init(summary: PlayerSummary(core, at: session.world.now))
    asked = core.books.firstRequest
    startupSpans = core.books.startupSpans
    itemLogs = session.itemLogs
    currentLogs = session.currentLogs.map { Int64($0) + 1 }
  }
}

extension JSONWriter {
  /// The members of the trace's last line.
  mutating func summary(of session: RunSession, end: EndReason, _ others: [NamedSummary]) {
    let books = ClosedBooks(session)
    key("end")
    string(end.word)
    key("fidelity")
    string(session.scenario.fidelity.word)
    figures(of: books.summary)
    warnings(of: books.summary)
    if case .stream(let settings) = session.scenario.item.source,
      let report = settings.presentation.sizeReport
    {
      segmentSizes(report)
    }
    if let packets = session.world.link.packetBooks {
      key("packets")
      beginObject()
      key("downlink")
      self.packets(packets.downlink)
      key("uplink")
      self.packets(packets.uplink)
      endObject()
    }
    self.books(books)
    players(others) { writer, place in writer.books(ClosedBooks(session.guests[place])) }
    if !session.leaked.isEmpty { leakedPlayers(session) }
  }

  private mutating func leakedPlayers(_ session: RunSession) {
    key("leakedPlayers")
    beginArray()
    for player in session.leaked {
      beginObject()
      key("bytesTransferred")
      integer(player.core.bytesTransferred(at: session.world.now))
      key("requestCount")
      integer(player.core.counts.requests)
      endObject()
    }
    endArray()
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
