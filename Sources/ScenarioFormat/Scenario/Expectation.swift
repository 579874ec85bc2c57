package import ExactText
package import VirtualTime

package struct Expectation: Sendable {
  package var claim: Claim
  package var position: TextPosition

  package enum Claim: Sendable {
    case properties(Moment, [PropertyClaim])
    /// These events in this order, with anything between.
    case order([EventPattern])
    case count(EventPattern, Matcher)
  }
}

package enum Moment: Hashable, Sendable {
  case at(Instant)
  /// So long after a named step was done.
  case after(step: String, TimeSpan)
  /// At the instant of the *number*-th occurrence of an event, from 1, or so long after it.
  case event(EventPattern, number: Int64, after: TimeSpan)
  case end
}

extension [Expectation] {
  /// Their moments alone, as far as a run lasts until them, or those at which a trace has a sample
  /// of the buffer: nothing is judged at these.
  package func moments(ofSamples: Bool) -> [Expectation] {
    var last: Instant?
    for case .properties(.at(let instant), _) in map({ $0.claim }) {
      last = Swift.max(last ?? instant, instant)
    }
    return compactMap { expectation in
      guard case .properties(let moment, _) = expectation.claim else { return nil }
      switch moment {
      case .end, .event(_, number: _, after: .zero): return nil
      case .at(let instant): if instant != last, !ofSamples { return nil }
      case .after, .event: break
      }
      return Expectation(claim: .properties(moment, []), position: expectation.position)
    }
  }
}

package struct PropertyClaim: Sendable {
  package var property: PlayerProperty
  package var matcher: Matcher
  package var position: TextPosition
}

package indirect enum Matcher: Hashable, Sendable {
  case equals(PropertyValue)
  case between(PropertyValue, PropertyValue)
  case atLeast(PropertyValue)
  case atMost(PropertyValue)
  case about(PropertyValue, within: PropertyValue)
  case not(Matcher)
  /// The entries of a log: as many, each with these fields at least.
  case entries([[LogClaim]])
}

package enum PropertyValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case text(String)
  case count(Int64)
  /// Seconds of run time or of media, in nanoseconds.
  case time(Int64)
  case rate(PlaybackRate)
  case ranges([Range<Int64>])
  /// A share in parts per million.
  case share(Int64)
  case entries([LogEntry])
}

/// An event of the trace by its name, with the members that it must have, all of them.
package struct EventPattern: Hashable, Sendable {
  /// A member and the text of its value, such as `status` = `playing`.
  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// As in the trace: `stall`, `rateChange`, `timeControlStatus` …
  package var event: String
  package var members: [Member] = []
}
