import ExactText
import ScenarioFormat

package enum TraceDifference: Sendable {
  /// They tell the same, line by line; their bytes may differ where JSON leaves a choice.
  case none(lines: Int, isSpeltAlike: Bool)
  /// All is the same but the digest: one of them is not the trace's own.
  case digestAlone(line: Int)
  /// In words, with the line in either trace, from 1.
  case first(String, lineA: Int, lineB: Int)
}

/// Compares two traces event by event, and says in words what first differs.
///
/// The headers are compared apart from the tool's version: two traces of different scenarios that
/// go on alike differ in their headers only, and that is said.
///
/// - Parameter ofDeeds: Whether what was done counts alone, and not by which clause.
package func compareTraces(
  _ a: [UInt8], _ b: [UInt8], ofDeeds: Bool = false
) throws(TraceError) -> TraceDifference {
  let (left, right) = (TraceText(a), TraceText(b))
  let (headerA, headerB) = try headers(left, right)
  let count = max(left.lines.count, right.lines.count)
  var otherDigest: Int?
  for line in 1..<max(1, count) {
    if line >= left.lines.count || line >= right.lines.count {
      let (rest, which) =
        line < left.lines.count ? (left.text(line), "first") : (right.text(line), "second")
      return .first(
        "only the \(which) trace goes on: \(rest)" + headerWords(headerA, headerB),
        lineA: line + 1, lineB: line + 1)
    }
    if left.lines[line] == right.lines[line] { continue }
    let (old, new) = (try left.value(at: line), try right.value(at: line))
    // The digest sums up whatever else differs.
    if old.hasSameContent(as: new, apartFrom: "digest") {
      if !isSame(old["digest"], new["digest"]) { otherDigest = line + 1 }
      continue
    }
    if ofDeeds, old.hasSameContent(as: new, apartFrom: "clause", "estimate") { continue }
    return .first(
      difference(old, new) + headerWords(headerA, headerB), lineA: line + 1, lineB: line + 1)
  }
  for key in headerKeys {
    if let words = headerDifference(headerA, headerB, key) {
      return .first(words, lineA: 1, lineB: 1)
    }
  }
  if !headerA.hasSameContent(as: headerB, apartFrom: "tool") {
    return .first(
      "the events are the same, but the headers have other members: "
        + "\(memberNames(headerA)) and \(memberNames(headerB))", lineA: 1, lineB: 1)
  }
  if let otherDigest { return .digestAlone(line: otherDigest) }
  // Two versions of the tool that do the same agree, and so do headers but for white space.
  let isSpeltAlike =
    left.lines.dropFirst().elementsEqual(right.lines.dropFirst())
    && JSONTree(headerA).without("tool").text == JSONTree(headerB).without("tool").text
  return .none(lines: count, isSpeltAlike: isSpeltAlike)
}

/// The headers of two traces that tell the same events.
private func headers(_ a: TraceText, _ b: TraceText) throws(TraceError) -> (JSONValue, JSONValue) {
  let headers = (try a.header(TraceText.readable), try b.header(TraceText.readable))
  if a.version == b.version { return headers }
  throw TraceError(
    line: 1,
    message:
      "the traces have formats \(a.version ?? 0) and \(b.version ?? 0), which tell different "
      + "events; record the older one again with “goldilocks run … --trace FILE”")
}

/// Says which line of a text keeps it from being a trace.
package func checkTrace(_ bytes: [UInt8]) throws(TraceError) {
  let text = TraceText(bytes)
  _ = try text.header(TraceText.readable)
  for line in text.lines.indices.dropFirst() {
    if try text.value(at: line)["event"]?.stringBytes != nil { continue }
    throw TraceError(line: line + 1, message: "this line is broken: it names no event")
  }
}

private func memberNames(_ header: JSONValue) -> String {
  joined((header.members.map { Array($0) } ?? []).map { quotation(of: $0.key) }, by: ", ")
}

private func isSame(_ a: JSONValue?, _ b: JSONValue?) -> Bool {
  guard let a, let b else { return a == nil && b == nil }
  return a.hasSameContent(as: b)
}

private let headerKeys = ["seed", "heuristic", "files", "scenario"]

/// Names what the headers of two traces hold that is not the same, behind a difference of events.
private func headerWords(_ a: JSONValue, _ b: JSONValue) -> String {
  let keys = headerKeys.filter { headerDifference(a, b, $0) != nil }
  return keys.isEmpty ? "" : "; their headers differ in " + enumeration(keys)
}

private func headerDifference(_ a: JSONValue, _ b: JSONValue, _ key: String) -> String? {
  if isSame(a[key], b[key]) { return nil }
  if key == "files" { return "the events are the same, but the files the scenarios name are not" }
  if key == "scenario" { return "the events are the same, but the scenarios are not" }
  return "the events are the same, but \(key) is \(short(a[key])) and \(short(b[key]))"
}

private func difference(_ a: JSONValue, _ b: JSONValue) -> String {
  let (timeA, timeB) = (short(a["t"]), short(b["t"]))
  let (eventA, eventB) = (short(a["event"]), short(b["event"]))
  if eventA != eventB {
    return "\(eventA) at \(timeA) s in the first, \(eventB) at \(timeB) s in the second"
  }
  if timeA != timeB {
    return "\(eventA) comes at \(timeA) s in the first, at \(timeB) s in the second"
      + memberDifferences(a, b, prefix: "; its ")
  }
  return "\(eventA) at \(timeA) s: " + memberDifferences(a, b, prefix: "")
}

private func memberDifferences(_ a: JSONValue, _ b: JSONValue, prefix: String) -> String {
  guard case .object(let old) = a.content, case .object(let new) = b.content else { return "" }
  var parts: [String] = []
  for member in old where member.key != "t" && member.key != "event" {
    if isSame(b[member.key], member.value) { continue }
    parts.append("\(member.key) is \(short(member.value)) and \(short(b[member.key]))")
  }
  for member in new where a[member.key] == nil {
    parts.append("\(member.key) is missing and \(short(member.value))")
  }
  return parts.isEmpty ? "" : prefix + joined(parts, by: ", ")
}

func short(_ value: JSONValue?) -> String {
  value.map { JSONTree($0).shown } ?? "missing"
}
