import ExactText
import VirtualTime

extension LinkExport {
  mutating func writePropertyList(_ source: ExportSource) {
    var entries: [(String, String)] = [("DNSDelayValue", whole(source.conditions.dnsDelay))]
    entries += direction("Downlink", source.conditions.downlink, source.steps[0].bandwidth)
    entries.append(("ExcludeLoopback", "1"))
    entries.append(("ProtocolFamily", "0"))
    entries += direction("Uplink", source.conditions.uplink, source.conditions.uplink.bandwidth)
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>Profiles</key>
        <dict>
          <key>\(escaped(source.name))</key>
          <dict>

      """
    for (key, value) in entries {
      let kind = value.utf8.contains(UInt8(ascii: ".")) ? "real" : "integer"
      text += "      <key>\(key)</key><\(kind)>\(value)</\(kind)>\n"
    }
    text += """
            <key>RunOnInterface</key><string>All</string>
          </dict>
        </dict>
      </dict>
      </plist>

      """
    files.append(File(name: "com.apple.network.prefPaneSimulate.plist", text: text))
    omit("the length of the queues")
    noteFirstStep(source)
  }

  private mutating func direction(
    _ name: String, _ direction: DirectionConditions, _ bandwidth: Bandwidth
  ) -> [(String, String)] {
    var loss = direction.loss
    var rate = "0"
    switch bandwidth {
    case .unlimited: break
    // Zero means no limit there, so an outage is written as loss.
    case .limited(let limit) where limit.isZero: loss = .total
    case .limited(let limit):
      let kilobits = decimal(
        Int128(limit.numerator), over: Int128(limit.denominator) * 1_000, places: 3)
      rate = kilobits.0 == "0" ? "0.001" : kilobits.0
      if !kilobits.exact { omit("fractions of a bit per second") }
    }
    return [
      (name + "Bandwidth", rate), (name + "BandwidthUnit", "0"),
      (name + "Delay", whole(direction.delay)), (name + "PacketLossRatio", loss.percent),
    ]
  }

  private mutating func whole(_ delay: TimeSpan) -> String {
    let text = decimal(Int128(delay.nanoseconds), over: 1_000_000, places: 0)
    if !text.exact { omit("fractions of a millisecond of delay") }
    return text.0
  }

  // XML 1.0 §2.2: Char. What is none has no place in a document, not even as a reference.
  private func escaped(_ text: String) -> String {
    replacing(text) { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\t", "\n", "\r": "&#\(scalar.value);"
      case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
      default: nil
      }
    }
  }

  private mutating func noteFirstStep(_ source: ExportSource) {
    if source.changes { omit("every step of the schedule but the first") }
  }

  /// The parameters of the DevTools protocol's `Network.emulateNetworkConditions`: bytes per
  /// second, -1 for no limit, and one latency for the round trip.
  mutating func writeDevTools(_ source: ExportSource) {
    let down = source.steps[0].bandwidth
    let isOffline = source.conditions.isOutage || down == .limited(.zero)
    let upload = throughput(source.conditions.uplink.bandwidth)
    let text = """
      {
        "offline": \(isOffline ? "true" : "false"),
        "latency": \(source.conditions.roundTrip.milliseconds),
        "downloadThroughput": \(throughput(down)),
        "uploadThroughput": \(upload)
      }

      """
    files.append(File(name: "conditions.json", text: text))
    let losses = [source.conditions.downlink.loss, source.conditions.uplink.loss]
    if !isOffline && losses.contains(where: { !$0.isNone }) { omit("packet loss") }
    if source.conditions.uplink.delay != source.conditions.downlink.delay {
      omit("delays that differ by direction: there is one for the round trip")
    }
    omit("packets and queues: DevTools delays responses above the transport")
    noteDNS(source)
    noteFirstStep(source)
  }

  private mutating func throughput(_ bandwidth: Bandwidth) -> String {
    switch bandwidth {
    case .unlimited: return "-1"
    case .limited(let rate):
      let bytes = decimal(Int128(rate.numerator), over: Int128(rate.denominator) * 8, places: 6)
      if !bytes.exact { omit("fractions of a bit per second") }
      return bytes.0
    }
  }
}
