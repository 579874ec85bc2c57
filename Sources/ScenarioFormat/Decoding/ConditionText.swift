import ExactText
import SimulatedWorld
import VirtualTime

extension Decode {
  /// Something that can become true: "loaded >= 0.3 s", "playing".
  static func condition(_ node: DocumentNode) -> PlaybackCondition? {
    guard let text = text(node) else { return nil }
    let (written, bound, isMost) = conditionParts(text)
    let subject = ConditionWord.older.first { isSameText($0.old, written) }?.now ?? written
    guard let word = ConditionWord.named(subject, hasBound: bound != nil) else {
      return node.refuse(
        "unknown condition \(quotation(of: text))",
        expected: "one of " + alternatives(ConditionWord.all.map { $0.form }),
        suggestion: nearestWord(to: subject, among: ConditionWord.all.map { $0.name }))
    }
    guard let bound else {
      if case .none(let condition) = word.bound { return condition }
      return node.refuse(
        "\(node.description) has no bound", expected: "“\(word.form)”, with >= and a value")
    }
    if isMost {
      guard let atMost = word.atMost else {
        return node.refuse("“\(word.name)” has no upper bound", expected: "“\(word.form)”")
      }
      return Form.mediaPlace.read(node.reading(bound)).map(atMost)
    }
    switch word.bound {
    case .time(let condition): return Form.mediaPlace.read(node.reading(bound)).map(condition)
    case .count(let condition):
      if let count = (try? ExactDecimal(json: bound.bytes))?.units(places: 0), count >= 0 {
        return condition(count)
      }
      return node.refuse(
        "\(quotation(of: bound)) is no count", expected: "a whole number from 0 up")
    case .none:
      return node.refuse("“\(word.name)” has no bound", expected: "“\(word.name)” alone")
    }
  }

  /// The subject of a condition, and the bound behind ">=" or "<=".
  private static func conditionParts(
    _ text: String
  ) -> (subject: String, bound: String?, isMost: Bool) {
    for (mark, isMost) in [(UInt8(ascii: ">"), false), (UInt8(ascii: "<"), true)] {
      guard let (subject, rest) = parts(of: text, around: mark) else { continue }
      guard rest.utf8.first == UInt8(ascii: "=") else { break }
      return (subject, trimmedText(rest.utf8.dropFirst()), isMost)
    }
    let (word, rest) = firstWord(of: text)
    return rest.isEmpty ? (word, nil, false) : (trimmedText(text.utf8), nil, false)
  }
}

/// The subject of a condition: a row for each.
struct ConditionWord: Sendable {
  let name: String
  let bound: Bound
  private let example: String?
  /// The condition with "<=", where that can come true.
  let atMost: (@Sendable (MediaTime) -> PlaybackCondition)?

  /// The kind of bound behind its ">=".
  enum Bound: Sendable {
    case time(@Sendable (MediaTime) -> PlaybackCondition)
    case count(@Sendable (Int64) -> PlaybackCondition)
    case none(PlaybackCondition)
  }

  private init(
    _ name: String, _ bound: Bound, _ example: String? = nil,
    atMost: (@Sendable (MediaTime) -> PlaybackCondition)? = nil
  ) {
    self.name = name
    self.atMost = atMost
    self.bound = bound
    self.example = example
  }

  var form: String { example.map { "\(name) >= \($0)" } ?? name }

  static let all = ofMedia + ofFigures + ofState

  // Perf: figures are large, and most conditions are of none.
  static func named(_ name: String, hasBound: Bool) -> Self? {
    func isMeant(_ word: Self) -> Bool { isSameText(word.name, name) }
    return ofMedia.first(where: isMeant)
      ?? (hasBound ? ofFigures : ofState).first(where: isMeant)
      ?? (hasBound ? ofState : ofFigures).first(where: isMeant)
  }

  private static let ofMedia = [
    ConditionWord("loaded", .time { .loaded($0) }, "0.3 s") { .loadedAtMost($0) },
    ConditionWord("bufferAhead", .time { .ahead($0) }, "5 s") { .aheadAtMost($0) },
    ConditionWord("currentTime", .time { .currentTime($0) }, "10 s") { .currentTimeAtMost($0) },
  ]

  private static let ofFigures = Figure.all.compactMap { figure in
    figure.awaited.map { ConditionWord(figure.name, .count($0.condition), $0.example) }
  }

  private static let ofState = [
    ConditionWord("paused", .none(.paused)),
    ConditionWord("waiting", .none(.waiting)),
    ConditionWord("playing", .none(.playing)),
    ConditionWord("isPlaybackLikelyToKeepUp", .none(.likelyToKeepUp)),
    ConditionWord("isPlaybackBufferFull", .none(.bufferFull)),
    ConditionWord("isPlaybackBufferEmpty", .none(.bufferEmpty)),
    ConditionWord("readyToPlay", .none(.readyToPlay)),
    ConditionWord("failed", .none(.failed)),
  ]

  var spellings: [String] {
    [name] + Self.older.filter { isSameText($0.now, name) }.map { $0.old }
  }

  /// Earlier spellings of properties, which are still read.
  static let older = [
    (old: "ahead", now: "bufferAhead"), (old: "likelyToKeepUp", now: "isPlaybackLikelyToKeepUp"),
    (old: "bufferFull", now: "isPlaybackBufferFull"),
    (old: "playbackBufferFull", now: "isPlaybackBufferFull"),
    (old: "bufferEmpty", now: "isPlaybackBufferEmpty"),
    (old: "playbackBufferEmpty", now: "isPlaybackBufferEmpty"),
  ]
}
