import ExactText
import VirtualTime

/// The profiles in a Network Link Conditioner property list: every dictionary that has a downlink
/// bandwidth, by the key it stands under or its own name.
func importedProfiles(_ source: SourceText) throws(ImportError) -> [ImportedProfile] {
  var profiles: [ImportedProfile] = []
  try collect(PropertyList(source), name: "Custom", into: &profiles)
  if profiles.isEmpty { throw ImportError(line: 1, .noProfile) }
  return profiles
}

private func collect(
  _ list: PropertyList, name: String, into profiles: inout [ImportedProfile]
) throws(ImportError) {
  switch list {
  case .scalar: return
  case .array(let elements):
    for element in elements { try collect(element, name: name, into: &profiles) }
  case .dictionary(let entries):
    if entries.contains(where: { $0.key == "DownlinkBandwidth" }) {
      let conditions = LinkConditions(
        downlink: try entries.direction("Downlink"), uplink: try entries.direction("Uplink"),
        dnsDelay: try entries.delay("DNSDelayValue"))
      let name = entries.text("name") ?? entries.text("Name") ?? name
      return profiles.append(ImportedProfile(name: name, conditions: conditions))
    }
    for entry in entries {
      try collect(entry.value, name: entry.key, into: &profiles)
    }
  }
}

/// One profile's keys. Zero, and a key that is not there, leave the link as it is.
extension [PropertyList.Entry] {
  fileprivate func text(_ key: String) -> String? {
    guard case .scalar(let bytes)? = first(where: { $0.key == key })?.value else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  fileprivate func direction(_ name: String) throws(ImportError) -> DirectionConditions {
    DirectionConditions(
      bandwidth: try bandwidth(name), delay: try delay(name + "Delay"),
      loss: try loss(name + "PacketLossRatio"))
  }

  private func bandwidth(_ name: String) throws(ImportError) -> Bandwidth {
    guard let (value, line, text) = try number(name + "Bandwidth"), value.significand != 0 else {
      return .unlimited
    }
    let unit = try number(name + "BandwidthUnit")?.value.rounded(timesTenTo: 0) ?? 0
    guard unit == 0 || unit == 1 else {
      throw ImportError(
        line: line, .unexpected(found: "unit \(unit)", expected: "0 (kbit/s) or 1 (Mbit/s)"))
    }
    guard let (numerator, denominator) = value.ratio(timesTenTo: unit == 0 ? 3 : 6) else {
      throw ImportError(line: line, .outOfRange(text))
    }
    let rate = BitRate(bitsPerSecond: numerator, over: denominator)
    let conditions = LinkConditions(downlink: .init(bandwidth: .limited(rate)))
    try rethrowing(try Link.check(conditions)) { (error: LinkError) in
      ImportError(line: line, .link(error))
    }
    return .limited(rate)
  }

  fileprivate func delay(_ key: String) throws(ImportError) -> TimeSpan {
    guard let (value, line, text) = try number(key) else { return .zero }
    guard let delay = value.rounded(timesTenTo: 6), delay < .max / 8 else {
      throw ImportError(line: line, .outOfRange(text))
    }
    return .nanoseconds(delay)
  }

  private func loss(_ key: String) throws(ImportError) -> LossRatio {
    guard let (value, line, text) = try number(key) else { return .none }
    return try lossRatio(value, line: line, text: text.bytes)
  }

  private func number(
    _ key: String
  ) throws(ImportError) -> (value: ExactDecimal, line: Int, text: String)? {
    guard let entry = first(where: { $0.key == key }) else { return nil }
    guard case .scalar(let bytes) = entry.value else {
      throw ImportError(line: entry.line, .unexpected(found: key, expected: "a number"))
    }
    let value = try exactDecimal(bytes[bytes.trimmed(bytes.indices)], line: entry.line)
    return (value, entry.line, String(decoding: bytes, as: UTF8.self))
  }
}
