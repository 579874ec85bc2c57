import SimulatedWorld
import VirtualTime

extension Decode {
  /// Something that can become true: "loaded >= 0.3 s", "playing".
  static func condition(_ node: DocumentNode) -> PlaybackCondition? {
    guard let text = text(node) else { return nil }
    let (subject, bound) = conditionParts(text)
    guard let word = ConditionWord.allCases.first(where: { isSameText($0.rawValue, subject) })
    else {
      node.refuse(
        "unknown condition \(quotation(of: text))",
        expected: "one of " + alternatives(ConditionWord.allCases.map { $0.form }),
        suggestion: nearestWord(
          to: subject, among: ConditionWord.allCases.map { $0.rawValue }))
      return nil
    }
    return condition(word, bound, node)
  }

  private static func condition(
    _ word: ConditionWord, _ bound: String?, _ node: DocumentNode
  ) -> PlaybackCondition? {
    switch word {
    case .loaded: mediaPlace(of: bound, word, node).map(PlaybackCondition.loaded)
    case .ahead: mediaPlace(of: bound, word, node).map(PlaybackCondition.ahead)
    case .currentTime: mediaPlace(of: bound, word, node).map(PlaybackCondition.currentTime)
    case .stallCount: count(of: bound, word, node).map(PlaybackCondition.stalls)
    case .loopCount: count(of: bound, word, node).map(PlaybackCondition.loops)
    case .transitionCount: count(of: bound, word, node).map(PlaybackCondition.transitions)
    case .paused: alone(.paused, bound, word, node)
    case .waiting: alone(.waiting, bound, word, node)
    case .playing: alone(.playing, bound, word, node)
    case .likelyToKeepUp: alone(.likelyToKeepUp, bound, word, node)
    case .bufferFull: alone(.bufferFull, bound, word, node)
    case .bufferEmpty: alone(.bufferEmpty, bound, word, node)
    case .readyToPlay: alone(.readyToPlay, bound, word, node)
    case .failed: alone(.failed, bound, word, node)
    }
  }

  private static func alone(
    _ condition: PlaybackCondition, _ bound: String?, _ word: ConditionWord, _ node: DocumentNode
  ) -> PlaybackCondition? {
    if bound == nil { return condition }
    node.refuse("“\(word.rawValue)” has no bound", expected: "“\(word.rawValue)” alone")
    return nil
  }

  private static func mediaPlace(
    of bound: String?, _ word: ConditionWord, _ node: DocumentNode
  ) -> MediaTime? {
    guard let bound else { return refuseUnbounded(word, node) }
    return part(bound, of: node, as: mediaPlace)
  }

  private static func count(
    of bound: String?, _ word: ConditionWord, _ node: DocumentNode
  ) -> Int64? {
    guard let bound else { return refuseUnbounded(word, node) }
    do throws(ExactDecimal.Failure) {
      let (count, denominator) = try ExactDecimal(json: bound).ratio(times: 1)
      if denominator == 1, count >= 0, let count = Int64(exactly: count) { return count }
    } catch {
      // Said below, whatever is wrong with it.
    }
    node.refuse("\(quotation(of: bound)) is no count", expected: "a whole number from 0 up")
    return nil
  }

  private static func refuseUnbounded<Value>(
    _ word: ConditionWord, _ node: DocumentNode
  ) -> Value? {
    node.refuse(
      "\(node.description) has no bound", expected: "“\(word.form)”, with >= and a value")
    return nil
  }

  /// A part of a text as a value of its own, which is reported at the text.
  private static func part<Value>(
    _ text: String, of node: DocumentNode, as decode: (DocumentNode) -> Value?
  ) -> Value? {
    decode(
      DocumentNode(
        JSONValue(.string(text), at: node.value.position), at: node.path, in: node.log))
  }

  /// What is looked at, and the bound behind ">=".
  private static func conditionParts(_ text: String) -> (subject: String, bound: String?) {
    guard let (subject, rest) = parts(of: text, around: UInt8(ascii: ">")) else {
      let (word, rest) = firstWord(of: text)
      return rest.isEmpty ? (word, nil) : (trimmed(text), nil)
    }
    guard rest.utf8.first == UInt8(ascii: "=") else { return (trimmed(text), nil) }
    return (subject, trimmed(rest.utf8.dropFirst()))
  }
}

/// What a condition looks at.
enum ConditionWord: String, CaseIterable {
  case loaded
  case ahead
  case currentTime
  case stallCount
  case loopCount
  case transitionCount
  case paused
  case waiting
  case playing
  case likelyToKeepUp
  case bufferFull
  case bufferEmpty
  case readyToPlay
  case failed

  /// What stands behind its ">=".
  enum Bound {
    case time
    case count
    case nothing
  }

  var bound: Bound {
    switch self {
    case .loaded, .ahead, .currentTime: .time
    case .stallCount, .loopCount, .transitionCount: .count
    case .paused, .waiting, .playing, .likelyToKeepUp, .bufferFull, .bufferEmpty, .readyToPlay,
      .failed:
      .nothing
    }
  }

  /// How such a condition is written.
  var form: String {
    switch self {
    case .loaded: "loaded >= 0.3 s"
    case .ahead: "ahead >= 5 s"
    case .currentTime: "currentTime >= 10 s"
    case .stallCount: "stallCount >= 2"
    case .loopCount: "loopCount >= 3"
    case .transitionCount: "transitionCount >= 1"
    case .paused, .waiting, .playing, .likelyToKeepUp, .bufferFull, .bufferEmpty, .readyToPlay,
      .failed:
      rawValue
    }
  }
}
