import ExactText
import VirtualTime

/// Expected properties at a moment, given the names of the script's steps.
struct ExpectationDescription {
  let names: StepNames
  var moment: Moment?
  /// The expectation of each named property, with the property's place among all.
  private var claims: [(place: Int, claim: PropertyClaim)] = []
  /// Whether a property is named, be it rightly or not.
  private var isExpecting = false

  /// The forms of an expectation: an order of events, a count of one, or properties.
  static let shape = Shape.either(
    ifThereIs: "order", eventOrder.shape,
    else: .either(ifThereIs: "count", eventCount.shape, else: keys.shape))

  static func expectation(_ node: DocumentNode, _ names: StepNames) -> Expectation? {
    let claim: Expectation.Claim?
    if node.member("order") != nil {
      claim = eventOrder.read(node)
    } else if node.member("count") != nil || node.member("is") != nil {
      claim = eventCount.read(node)
    } else {
      claim = keys.read(node, ExpectationDescription(names: names)) { part, object in
        part.claim(&object)
      }
    }
    return claim.map { Expectation(claim: $0, position: node.value.position) }
  }

  private static let keys = KeyTable<Self>(
    "expectation", "A fact that must hold at a moment, or for the whole run.", least: 1
  ) {
    Key.read(
      "at", as: MomentDescription.shape,
      "Moment at which it must hold; sums over a run need none."
    ) { $1.moment.takes(MomentDescription.moment($0, $1.names)) }
    PlayerProperty.all.indices.map(key)
  }

  // Perf: properties are large, and every process makes all of these keys.
  private static func key(at place: Int) -> Key<Self> {
    var shape = KeyShape(
      name: PlayerProperty.all[place].name,
      makeShape: { PlayerProperty.all[place].kind.shape }, presence: .optional,
      about: PlayerProperty.all[place].about)
    if PlayerProperty.all[place].scope == .moment {
      shape.stand(
        beside: "at", "requires “at”",
        expected: "“at”: a time, “end”, or the step or event that it follows")
    }
    return Key.read(shape) { node, part in
      part.isExpecting = true
      let property = PlayerProperty.all[place]
      guard let matcher = ClaimDescription.matcher(node, for: property.kind) else { return false }
      let claim = PropertyClaim(property: property, matcher: matcher, position: node.value.position)
      part.claims.append((place, claim))
      return true
    }
  }

  private func claim(_ object: inout DocumentObject) -> Expectation.Claim? {
    object.know(["order", "count", "is"])
    // A misspelled property is reported as that.
    if !isExpecting && !object.hasUnknownKeys {
      object.node.refuse(
        "nothing is expected here",
        expected: "a property such as “\(Figure.stalls.name)”, or “order” or “count”")
    }
    for (_, claim) in claims where claim.property.scope == .end {
      if let moment, moment != .end {
        object.refuse(
          key: claim.property.name, "is known at the end alone", expected: "no “at” beside it")
      }
    }
    if claims.isEmpty { return nil }
    return .properties(moment ?? .end, claims.sorted { $0.place < $1.place }.map { $0.claim })
  }
}

private let eventOrder = KeyTable<Expectation.Claim?>("eventOrder", "Events in this order.") {
  Key.required(
    "order", { $0 = .order($1) }, .list(of: .event, atLeast: 2),
    "These events in this order, with anything between.")
}.form()

private let eventCount = KeyTable<(event: EventPattern?, count: Matcher?)>(
  "eventCount", "Number of times that an event occurs."
) {
  Key.required("count", { $0.event = $1 }, .event, "The event that is counted.")
  Key.required(
    "is", { $0.count = $1 },
    Form(PropertyKind.count.shape) { ClaimDescription.matcher($0, for: .count) },
    "Number of occurrences.")
}.form((nil, nil)) { part, _ in
  part.event.flatMap { event in part.count.map { Expectation.Claim.count(event, $0) } }
}

extension Form<EventPattern> {
  static var event: Form { Form(EventPattern.shape, Decode.eventPattern) }
}

extension EventPattern {
  /// The pattern accepts any member; the reader checks that the event has it.
  fileprivate static let shape = Shape.named(
    "event",
    "An event of the trace other than linkRate, perhaps with members and values that it must have."
  ) {
    let members = distinct(EventShape.all.flatMap { $0.members.map { $0.name } })
    let value = #"('[^']*'|"[^"]*"|[^ '"][^ ]*( +[^ =]+)*)"#
    let events = anyWord(EventShape.all.map { $0.name })
    return .pattern(
      "^ *(\(events))( +(\(anyWord(members))) *= *\(value))* *$", noun: "an event",
      examples: ["stall", "timeControlStatus status=playing", "variantSwitch from=1 to=0"])
  }
}

private struct MomentDescription {
  let names: StepNames
  var step: String?
  var event: EventPattern?
  var number: Int64 = 1
  var span = TimeSpan.zero

  static let shape = Shape.named("moment", "A time of the run, its end, or a time after a step.") {
    .anyOf([.time, .words(["end"]), keys.shape])
  }

  private static let keys = KeyTable<Self>("relativeMoment", "A moment that follows another.") {
    Key.read(
      "after", .oneOf, as: .text("start"), "The earlier step, by its name or its action."
    ) { $1.step.takes($1.names.reference($0)) }
    Key.oneOf("event", { $0.event = $1 }, .event, "The event it follows.")
    Key.optional("by", { $0.span = $1 }, .span, absent: "0 s", "Time that passes after it.")
    Key.optional(
      "number", { $0.number = $1 }, .whole(in: 1...Int64.max), absent: 1,
      "Number of the event, from 1."
    ).beside("event", expected: "“event” beside it")
  }

  static func moment(_ node: DocumentNode, _ names: StepNames) -> Moment? {
    if case .object = node.content {
      return keys.read(node, MomentDescription(names: names)) { part, _ in
        if let event = part.event { return .event(event, number: part.number, after: part.span) }
        return part.step.map { .after(step: $0, part.span) }
      }
    }
    if let text = node.plainText {
      if isSameText(text, "end") { return .end }
      if let word = nearestWord(to: text, among: ["end"]) {
        return node.refuse(
          "\(quotation(of: text)) is no moment", expected: "a time such as “3 s”, or “end”",
          suggestion: word)
      }
    }
    return Form.instant.read(node).map { .at($0) }
  }
}
