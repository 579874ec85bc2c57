package import ExactText
package import PlayerPolicies
import VirtualTime

// Policies in the words of scenarios: a scenario that holds what is written here has the same rule.

extension JSONWriter {
  /// A policy with a choice for each seat.
  package mutating func policy(_ policy: PolicyDescription) {
    beginObject()
    for seat in SeatRow.all {
      key(seat.name)
      seat.write(policy, &self)
    }
    endObject()
  }

  // MARK: Quantities

  mutating func span(_ nanoseconds: Int64) {
    var writer = JSONWriter()
    writer.seconds(nanoseconds)
    string(writer.text + " s")
  }

  mutating func percent(_ percent: Int64) { string("\(percent) %") }

  mutating func bytes(_ count: Int64) { string("\(count) B") }

  /// An object with one member.
  mutating func block(_ name: String, _ write: (inout JSONWriter) -> Void) {
    beginObject()
    key(name)
    write(&self)
    endObject()
  }

  mutating func member(_ name: String, _ write: (inout JSONWriter) -> Void) {
    key(name)
    write(&self)
  }

  // MARK: The sink and the exits

  mutating func sink(_ sink: SinkDescription) {
    beginObject()
    member("frame") { $0.span(sink.frame.nanoseconds) }
    member("frameOfPackets") { $0.span(sink.frameOfPackets.nanoseconds) }
    member("leastToStart") { $0.span(sink.leastToStart.nanoseconds) }
    member("leastToResume") { $0.span(sink.leastToResume.nanoseconds) }
    member("holds") { $0.span(sink.holds.nanoseconds) }
    if sink.predictsOnce { member("predictsOnce") { $0.boolean(true) } }
    member("warmUp") { $0.span(sink.warmUp.nanoseconds) }
    if sink.setUp > .zero { member("setUp") { $0.span(sink.setUp.nanoseconds) } }
    member("freezes") { $0.span(sink.freezes.nanoseconds) }
    endObject()
  }

  mutating func exits(_ exits: ReadinessExits) {
    beginObject()
    member("whenFull") { $0.boolean(exits.whenFull) }
    member("whenIdle") { $0.boolean(exits.whenIdle) }
    endObject()
  }

  mutating func stall(_ rule: StallRule) {
    switch rule {
    case .whenDry: string("whenDry")
    case .below(let mark, let period):
      beginObject()
      member("below") { $0.span(mark.nanoseconds) }
      member("every") { $0.span(period.nanoseconds) }
      endObject()
    case .belowUnlessPlayThrough(let mark):
      beginObject()
      member("below") { $0.span(mark.nanoseconds) }
      member("unlessPlayThrough") { $0.boolean(true) }
      endObject()
    case .belowWithArriving(let mark):
      beginObject()
      member("below") { $0.span(mark.nanoseconds) }
      member("countsArriving") { $0.boolean(true) }
      endObject()
    case .named(let name): block("named") { $0.string(name) }
    }
  }
}

// MARK: - Reading ahead

extension JSONWriter {
  mutating func choice(_ customs: ChoiceCustoms) {
    beginObject()
    member("at") { writer in
      switch customs.moment {
      case .arrival: writer.string("arrival")
      case .request: writer.string("request")
      }
    }
    member("sizes") { writer in
      switch customs.sizes {
      case .declared: writer.string("declared")
      case .exact: writer.string("exact")
      }
    }
    member("again") { writer in
      switch customs.again {
      case .never: writer.string("never")
      case .soonest: writer.string("soonest")
      case .latest: writer.string("latest")
      }
    }
    endObject()
  }

  mutating func abandon(_ rule: AbandonRule) {
    switch rule {
    case .never: string("never")
    case .rescue(let rule): rescue(rule)
    case .named(let name): block("named") { $0.string(name) }
    }
  }

  private mutating func rescue(_ rule: RescueRule) {
    beginObject()
    member("patience") { writer in
      if let patience = rule.patience { writer.span(patience.nanoseconds) } else { writer.null() }
    }
    member("look") { writer in
      if let share = rule.lookPercent { writer.percent(share) } else { writer.null() }
    }
    member("share") { $0.percent(rule.safetyPercent) }
    member("first") { writer in
      guard let first = rule.first else { return writer.null() }
      writer.beginObject()
      writer.member("every") { $0.span(first.every.nanoseconds) }
      writer.member("gain") { $0.span(first.leastGain.nanoseconds) }
      writer.endObject()
    }
    endObject()
  }

  mutating func fetch(_ rule: FetchRule) {
    beginObject()
    member("media") { writer in
      if let media = rule.media { writer.span(media.nanoseconds) } else { writer.null() }
    }
    member("bytes") { writer in
      if let bytes = rule.bytes { writer.bytes(bytes) } else { writer.null() }
    }
    member("refill") { $0.percent(rule.refillPercent) }
    member("countsNext") { $0.boolean(rule.countsNext) }
    member("sleeps") { $0.span(rule.sleeps.nanoseconds) }
    if case .reopens(let span) = rule.atLimit {
      member("reopensAfter") { $0.span(span.nanoseconds) }
    }
    rule.writeTracks(to: &self)
    endObject()
  }
}

extension FetchRule {
  /// What is said where a player has it alone.
  fileprivate func writeTracks(to writer: inout JSONWriter) {
    if let trackLead { writer.member("trackLead") { $0.integer(trackLead) } }
    if trackFloor > 0 { writer.member("trackFloor") { $0.integer(trackFloor) } }
    if discards > 0 { writer.member("discards") { $0.bytes(discards) } }
    if discardsIfIndexLast > 0 {
      writer.member("discardsIfIndexLast") { $0.bytes(discardsIfIndexLast) }
    }
    if lookahead > 0 { writer.member("lookahead") { $0.bytes(lookahead) } }
    if looksAheadOnce { writer.member("looksAheadOnce") { $0.boolean(looksAheadOnce) } }
    if sideBySide > 1 { writer.member("sideBySide") { $0.integer(sideBySide) } }
    if blocks > 0 { writer.member("blocks") { $0.bytes(blocks) } }
  }
}
