import ExactText
import TestSupport

/// Some values of a document take the place of others: those that the same key has elsewhere, and
/// quantities that are halved, doubled or brought to a round number.
struct Alteration {
  var values: [String: [JSONTree]]
  var percent: Int
  var flipsFlags = false

  /// The values that the keys of documents have.
  static func values(of documents: [JSONTree]) -> [String: [JSONTree]] {
    var values: [String: [JSONTree]] = [:]
    for document in documents { add(document, to: &values) }
    return values
  }

  private static func add(_ tree: JSONTree, to values: inout [String: [JSONTree]]) {
    switch tree {
    case .object(let members):
      for (key, value) in members {
        values[key, default: []].append(value)
        add(value, to: &values)
      }
    case .array(let elements): for element in elements { add(element, to: &values) }
    case .null, .boolean, .number, .string: break
    }
  }

  func altered(_ tree: JSONTree, _ draw: inout Draw) -> JSONTree {
    switch tree {
    case .object(let members):
      return .object(
        members.map { key, value in
          guard draw.chance(percent), let others = values[key] else {
            return (key, altered(value, &draw))
          }
          return (key, draw.one(of: others))
        })
    case .array(let values):
      return .array(values.filter { _ in !draw.chance(percent) }.map { altered($0, &draw) })
    case .string(let text): return .string(scaled(text, &draw))
    case .boolean(let flag): return .boolean(flipsFlags && draw.chance(percent) ? !flag : flag)
    case .null, .number: return tree
    }
  }

  private func scaled(_ text: String, _ draw: inout Draw) -> String {
    var words = text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
    for place in words.indices.dropLast() {
      guard let count = Int(words[place]), draw.chance(3 * percent) else { continue }
      let others = [count / 2, count * 2, count + 1, count / 10 * 10, count * 3 / 2, 0, 1]
      words[place] = "\(draw.one(of: others))"
    }
    return words.joined(separator: " ")
  }
}
