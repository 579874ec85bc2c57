import ExactText
import VirtualTime

extension TraceDraft {
  /// Sabre: explicit periods; a request's latency passes on the trace's clock.
  mutating func readSabre(_ source: SourceText) throws(ImportError) {
    for element in try source.listElements() {
      let row = try JSONRow(element)
      lastLine = row.line
      append(
        nanoseconds: try time(row.required("duration_ms"), power: 6),
        .limited(try rate(row.required("bandwidth_kbps"))),
        latency: try time(row.required("latency_ms"), power: 6))
    }
  }

  /// CAdViSE and LLL-CAdViSE: a shaper at each end, zero for no limit.
  mutating func readCAdViSE(_ source: SourceText) throws(ImportError) {
    let elements = try source.listElements()
    var (isOneEnded, limitsUplink) = (false, false)
    for element in elements {
      let row = try JSONRow(element)
      if steps.isEmpty { isOneEnded = row.has("availableBandwidth") }
      lastLine = row.line
      if isOneEnded {
        // The older variant, in milliseconds throughout.
        let latency = try latency("latency", of: row)
        append(
          nanoseconds: try time(row.required("duration"), power: 6),
          try limit(row.required("availableBandwidth")), latency: latency)
        continue
      }
      // Seconds, kbit/s, ms.
      let lower = try min(limit(row.required("serverEgress")), limit(row.required("clientIngress")))
      let latency = try latency("serverLatency", of: row) + latency("clientLatency", of: row)
      append(nanoseconds: try time(row.required("duration"), power: 9), lower, latency: latency)
      if try row.isAboveZero(["clientEgress", "serverIngress"]) { limitsUplink = true }
    }
    if steps.isEmpty { return }
    if isOneEnded { try readLoss(elements) }
    if limitsUplink { notes.append("limits of the uplink change with time and are left out") }
    notes.append("zero bandwidth is no limit")
    notes.append("latencies are waited once for each request")
  }

  /// Milliseconds; none where the row does not say.
  private func latency(_ key: String, of row: JSONRow) throws(ImportError) -> Int64 {
    guard let field = try row.field(key) else { return 0 }
    return try time(field, power: 6)
  }

  private mutating func readLoss(_ elements: JSONElements) throws(ImportError) {
    var losses: [LossRatio?] = []
    var hasOthers = false
    for element in elements {
      let row = try JSONRow(element)
      if try row.isAboveZero(["packetDuplicate", "packetCorruption"]) { hasOthers = true }
      losses.append(
        try row.field("packetLoss").map { (field) throws(ImportError) in
          try lossRatio(field.value, line: field.line, text: field.text)
        })
    }
    if let first = losses.compactMap({ $0 }).first {
      if losses.allSatisfy({ $0 == first }) {
        conditions.downlink.loss = first
      } else {
        notes.append("packet loss changes with time and is left out")
      }
    }
    if hasOthers { notes.append("duplication and corruption of packets are left out") }
  }

  private func time(_ field: JSONRow.Field, power: Int) throws(ImportError) -> Int64 {
    guard let time = field.value.rounded(timesTenTo: power), time < .max / 4 else {
      throw ImportError(line: field.line, .outOfRange(shortText(field.text)))
    }
    return time
  }

  private func rate(_ field: JSONRow.Field) throws(ImportError) -> BitRate {
    try rate(field.value, power: 3, line: field.line, text: field.text)
  }

  private func limit(_ field: JSONRow.Field) throws(ImportError) -> Bandwidth {
    let rate = try rate(field)
    return rate.isZero ? .unlimited : .limited(rate)
  }
}

/// A ratio out of a number of per cent.
func lossRatio(
  _ percent: ExactDecimal, line: Int, text field: ArraySlice<UInt8>
) throws(ImportError) -> LossRatio {
  guard let (numerator, denominator) = percent.ratio(timesTenTo: -2), numerator <= denominator
  else { throw ImportError(line: line, .outOfRange(shortText(field) + " %")) }
  let ratio = LossRatio(numerator, over: denominator)
  if ratio.denominator > LinkLimits.finestDenominator {
    throw ImportError(line: line, .link(.lossTooFine(ratio)))
  }
  return ratio
}
