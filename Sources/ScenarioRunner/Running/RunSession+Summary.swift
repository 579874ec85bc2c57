package import ExactText
import LinkConditioner
import Recording
import ScenarioFormat
import SimulatedPlayback
import SimulatedWorld
package import StreamingMedia
import VirtualTime

extension SizeSource {
  /// The tag or attribute of a playlist that gives the size.
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

extension Scenario {
  /// Origin of the sizes of a stream's segments; nil where they are declared.
  package var segmentSizes: JSONTree? {
    guard case .stream(let settings) = item.source,
      let report = settings.presentation.sizeReport
    else { return nil }
    return [
      "variants": .string(report.variants.word), "audio": report.audio.map { .string($0.word) },
    ]
  }
}

extension [NamedSummary] {
  /// The figures of further players; nil where there are none.
  package var document: JSONTree? { document { _ in [:] } }

  /// - Parameter more: Further members of the player at a place.
  func document(_ more: (Int) -> JSONTree) -> JSONTree? {
    isEmpty
      ? nil
      : .list(indices) { ["player": .string(self[$0].name)] + self[$0].player.document + more($0) }
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
    members(["end": .string(end.word), "fidelity": .string(session.scenario.fidelity.word)])
    members(books.summary.document)
    let warnings = books.summary.warnings
    members([
      "warnings": warnings.isEmpty ? nil : .strings(warnings),
      "segmentSizes": session.scenario.segmentSizes,
      "packets": session.world.link.packetBooks.map {
        ["downlink": $0.downlink.document, "uplink": $0.uplink.document]
      },
      "books": books.document,
      "players": others.document { ["books": ClosedBooks(session.guests[$0]).document] },
      "leakedPlayers": session.leaked.isEmpty
        ? nil
        : .list(session.leaked) {
          [
            "bytesTransferred": .whole($0.core.bytesTransferred(at: session.world.now)),
            "requestCount": .whole($0.core.counts.requests),
          ]
        },
    ])
  }
}

extension PathCounters {
  /// The packets of a direction by their fate, and their bytes on the wire.
  fileprivate var document: JSONTree {
    [
      "sent": .whole(sent.packets), "delivered": .whole(delivered.packets),
      "lost": .whole(lost.packets), "dropped": .whole(overflowed.packets),
      "inFlight": .whole(inFlight.packets), "bytesSent": .whole(sent.bytes),
      "bytesDelivered": .whole(delivered.bytes),
    ]
  }
}
