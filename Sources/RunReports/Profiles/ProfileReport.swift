package import ExactText
package import LinkConditioner
import ScenarioFormat
import VirtualTime

package enum ProfileReport {
  /// All that there are, catalogue by catalogue, each under where it comes from.
  package static func list(style: TextStyle) -> String {
    let rows = Array(zip(Profile.names, Profile.all))
    let width = rows.reduce(0) { max($0, columns(of: $1.0)) }
    var lines: [String] = []
    for catalogue in Profile.Catalogue.allCases {
      let own = rows.filter { $0.1.catalogue == catalogue }
      if own.isEmpty { continue }
      if !lines.isEmpty { lines.append("") }
      lines.append(style.paint(catalogue.provenance, .title))
      let heading = line("  name", ["down", "up", "delay", "loss", "DNS"], width)
      lines.append(style.paint(heading, .faint))
      lines += own.map { name, profile in
        let mark = profile.disagreement == nil ? "  " : "* "
        return line(
          mark + name, [profile.down, profile.up, profile.delay, profile.loss, profile.dns], width)
      }
    }
    lines.append("")
    lines.append("* Public sources do not agree on it: 'goldilocks profiles <name>' says how.")
    return RunReports.text(of: lines)
  }

  package static func text(_ profile: Profile, style: TextStyle) -> String {
    var facts = [
      Fact("downlink", profile.down + profile.base.downlink.loss.words),
      Fact("uplink", profile.up + profile.base.uplink.loss.words),
      Fact("one-way delay", profile.delay),
    ]
    if profile.base.dnsDelay > .zero { facts.append(Fact("DNS delay", profile.dns)) }
    facts.append(Fact("source", profile.catalogue.provenance))
    facts.append(Fact("delay stated", profile.statement))
    if let disagreement = profile.disagreement {
      facts.append(Fact("but", disagreement, .waiting))
    }
    return RunReports.text(
      of: [style.paint(profile.qualifiedName, .title)] + lines(of: facts, style: style))
  }

  private static func line(_ name: String, _ cells: [String], _ nameWidth: Int) -> String {
    var line = padded(name, to: nameWidth + 2)
    for (cell, width) in zip(cells, [15, 13, 12, 7, 8]) { line += indented(cell, to: width) }
    return trimmed(line)
  }
}

/// The figures of a profile; what it leaves as it is shows as a dash.
extension Profile {
  fileprivate var down: String {
    switch downlink {
    case .fixed(let bandwidth): words(bandwidth)
    case .relativeToMedia(let thousandths): decimal(thousandths, of: 3, places: 3) + " × media"
    }
  }

  fileprivate var up: String { words(base.uplink.bandwidth) }

  fileprivate var delay: String {
    let (down, up) = (base.downlink.delay, base.uplink.delay)
    if down == .zero && up == .zero { return "-" }
    if down == up { return shownSpan(down.nanoseconds) }
    return decimal(down.nanoseconds / 1_000_000, of: 0, places: 0) + "/"
      + shownSpan(up.nanoseconds)
  }

  fileprivate var dns: String { base.dnsDelay > .zero ? shownSpan(base.dnsDelay.nanoseconds) : "-" }

  fileprivate var loss: String { base.downlink.loss.isNone ? "-" : base.downlink.loss.percent }

  fileprivate var statement: String {
    switch statedDelay {
    case .oneWay: "one way"
    case .roundTrip: "as a round trip: each way has half"
    case .notStated: "the source does not say of what: each way has half"
    }
  }

  private func words(_ bandwidth: Bandwidth) -> String {
    switch bandwidth {
    case .unlimited: "unlimited"
    case .limited(let rate): shownRate(rate)
    }
  }

  /// As a member of an answer; bandwidths are bits per second, null where there is no limit.
  package func document(named name: String) -> JSONTree {
    var (fixed, relative): (JSONTree?, JSONTree?)
    switch downlink {
    case .fixed(let bandwidth): fixed = bandwidth.document
    case .relativeToMedia(let thousandths): relative = .decimal(thousandths, places: 3)
    }
    return [
      "name": .string(name),
      "catalogue": .string(catalogue.rawValue),
      "downlinkBitsPerSecond": fixed,
      "downlinkPerMediaBitrate": relative,
      "uplinkBitsPerSecond": base.uplink.bandwidth.document,
      "downlinkDelaySeconds": .seconds(base.downlink.delay.nanoseconds),
      "uplinkDelaySeconds": .seconds(base.uplink.delay.nanoseconds),
      "downlinkLoss": base.downlink.loss.document,
      "uplinkLoss": base.uplink.loss.document,
      "dnsDelaySeconds": .seconds(base.dnsDelay.nanoseconds),
      "provenance": .string(catalogue.provenance),
      "disagreement": .text(disagreement),
    ]
  }
}

extension Bandwidth {
  fileprivate var document: JSONTree {
    switch self {
    case .unlimited: .null
    case .limited(let rate): .whole(rate.roundedDown)
    }
  }
}

extension LossRatio {
  fileprivate var percent: String {
    short(scaled(numerator, by: 100_000, over: denominator, rounding: .down), of: 3) + " %"
  }

  fileprivate var words: String { isNone ? "" : ", " + percent + " lost" }

  fileprivate var document: JSONTree {
    .decimal(scaled(numerator, by: 1_000_000, over: denominator, rounding: .down), places: 6)
  }
}
