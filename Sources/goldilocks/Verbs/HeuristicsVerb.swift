import ExactText
import PlayerPolicies
import RunReports
import ScenarioFormat

extension Verb {
  static let heuristics = Verb(
    name: "heuristics",
    overview: "List policies, seats, blocks and short forms, or describe one of them.",
    discussion: [
      "A policy has a choice for each seat; a block is a rule that can fill one. Scenarios name "
        + "them in \"policy\". What stands at the end of the list is the short form for "
        + "\"heuristic\" and for --heuristic, which fills the seats for starting and resuming."
    ],
    positionals: [
      Positional(name: "name", help: "A policy, a seat, a block or a short form.", count: 0...1)
    ],
    options: [.format],
    examples: ["heuristics", "heuristics avfoundation", "heuristics start --format json"]
  ) { (invocation) throws(Failure) in
    let catalogue = PolicyCatalogue.standard
    func show(_ document: JSONTree, _ write: (inout CataloguePage) -> Void) throws(Failure) {
      var page = CataloguePage(style: invocation.console.style)
      write(&page)
      try invocation.answer(document, orText: page.text)
    }
    guard let name = invocation.positionals.first else {
      try show(catalogue.document) { $0.list(catalogue) }
      return .success
    }
    if let policy = PolicyPreset.named(name) {
      try show(policy.document) { $0.show(policy) }
    } else if let seat = catalogue.seats.first(where: { $0.name == name }) {
      try show(seat.document) { $0.show(seat) }
    } else if let (block, seats) = catalogue.blocks(named: name) {
      let document = block.document + ["seats": .strings(seats.map { $0.name })]
      try show(document) { $0.show(block, in: seats) }
    } else if let form = ShortForm(name) {
      try show(form.document) { $0.show(form) }
    } else {
      let names = catalogue.names + ShortForm.all.map { $0.form }
      throw invocation.refusal(
        "There is no policy, seat, block or short form \(inQuotes(name))."
          + question(nearestName(to: name, among: names)))
    }
    return .success
  }
}

private struct ShortForm {
  var form: String
  var about: String

  static let all = zip(KeepUpHeuristic.textForms, abouts).map { ShortForm(form: $0, about: $1) }
}

extension ShortForm {
  /// The form of a text, with the numbers that stand in it; nil where it is none. A word alone that
  /// wants numbers stands for those of the list.
  init?(_ text: String) {
    let listed = Self.all.first { $0.form == text || $0.form.hasPrefix(text + " ") }
    let form = (try? KeepUpHeuristic(text: text))?.text ?? listed?.form
    guard let form, let kind = Self.all.last(where: { Self.isAlike($0.form, form) }) else {
      return nil
    }
    self.init(form: form, about: kind.about)
  }

  /// Whether two forms differ in their numbers alone.
  private static func isAlike(_ a: String, _ b: String) -> Bool {
    let (a, b) = (a.split(separator: " "), b.split(separator: " "))
    return a.first == b.first && (a.count > 1) == (b.count > 1)
  }

  var choices: [(seat: String, kind: PolicySeat, choice: String)] {
    guard let heuristic = try? KeepUpHeuristic(text: form) else { return [] }
    var policy = PolicyPreset.avfoundation.description
    (policy.start, policy.resume) = (heuristic.start, heuristic.resume)
    return policy.choices.filter { [.start, .resume].contains($0.kind) && $0.seat != "exits" }
  }

  /// In the order of the forms.
  private static let abouts = [
    "The default: start when the end can be reached without a stall at the throughput seen so far.",
    "The same, counting on a throughput only so many times as high as is needed.",
    "Start with the first duration ahead of the playhead, resume after a stall with the second.",
    "Start when everything to the end is loaded.",
    "Start with the first byte.",
  ]

  fileprivate var document: JSONTree {
    [
      "heuristic": .string(form), "about": .string(about),
      "choices": .members(choices.map { ($0.seat, .number($0.choice)) }),
    ]
  }
}

private struct CataloguePage {
  let style: TextStyle
  private(set) var text = ""

  mutating func list(_ catalogue: PolicyCatalogue) {
    let policies = PolicyPreset.all
    let names =
      policies.map { $0.name } + catalogue.seats.map { $0.name } + ShortForm.all.map { $0.form }
    let width = names.reduce(0) { max($0, columns(of: $1)) } + 5
    title("Policies")
    for policy in policies { row(policy.name, [policy.about], width) }
    title("\nSeats, with their blocks and options")
    for seat in catalogue.seats {
      let blocks = seat.blocks.map { $0.name }.joined(separator: ", ")
      let numbers = seat.parameters.map { $0.name }.joined(separator: ", ")
      row(seat.name, [seat.about, blocks, numbers], width)
    }
    title("\nShort forms")
    for form in ShortForm.all { row(form.form, [form.about], width) }
  }

  mutating func show(_ policy: PolicyPreset) {
    heading(policy.name, policy.about)
    let choices = policy.description.choices
    let width = choices.reduce(0) { max($0, columns(of: $1.seat)) } + 5
    for (seat, kind, choice) in choices {
      let source =
        seat == "exits"
        ? words(of: policy.exits)
        : policy.evidence.first { $0.seat == kind }.map { words(of: $0.source, $0.confidence) }
      // A choice can be taken over into a scenario, so that it stays on one line.
      line(seat, choice, width)
      if let source { row("", [source], width) }
    }
    text += "\n"
    row("snapshot", [policy.snapshot], width)
    if let media = policy.knownMedia() { row("known with", [media], max(width, 12)) }
    title("\nGotchas")
    for gotcha in policy.gotchas { row("•", [gotcha], 5) }
  }

  mutating func show(_ form: ShortForm) {
    heading(form.form, form.about)
    for (seat, _, choice) in form.choices { line(seat, choice, 15) }
  }

  mutating func show(_ seat: PolicyCatalogue.Seat) {
    heading(seat.name, seat.about)
    let names = seat.blocks.map { $0.name } + seat.parameters.map { $0.name }
    let width = names.reduce(0) { max($0, columns(of: $1)) } + 5
    for block in seat.blocks {
      var about = block.about
      if let source = block.source { about += " \(words(of: source))." }
      row(block.name, [about], width)
    }
    for parameter in seat.parameters { row(parameter.name, [words(of: parameter)], width) }
  }

  mutating func show(_ block: PolicyCatalogue.Block, in seats: [PolicyCatalogue.Seat]) {
    heading(block.name, block.about)
    let names = block.parameters.map { $0.name } + ["source"]
    let width = names.reduce(0) { max($0, columns(of: $1)) } + 5
    row("fills", [seats.map { $0.name }.joined(separator: ", ")], width)
    if let source = block.source { row("source", [words(of: source)], width) }
    if !block.parameters.isEmpty { text += "\n" }
    for parameter in block.parameters { row(parameter.name, [words(of: parameter)], width) }
  }

  private func words(of source: BlockSource) -> String {
    words(of: source.source, source.confidence)
  }

  private func words(of source: String, _ confidence: PolicyPreset.Confidence) -> String {
    "\(source) (\(confidence.word))"
  }

  private func words(of parameter: PolicyCatalogue.Parameter) -> String {
    parameter.about + (parameter.absent.map { " Without it: \($0)." } ?? "")
  }

  private mutating func title(_ words: String) { text += style.paint(words, .title) + "\n\n" }

  private mutating func heading(_ name: String, _ about: String) {
    text += style.paint(name, .title) + "\n\(about)\n\n"
  }

  private mutating func row(_ name: String, _ texts: [String], _ width: Int) {
    var left = name
    for text in texts.flatMap({ wrapped($0, width: style.width - width) }) {
      line(left, text, width)
      left = ""
    }
  }

  private mutating func line(_ name: String, _ words: String, _ width: Int) {
    let space = String(repeating: " ", count: max(1, width - 2 - columns(of: name)))
    text += "  " + style.paint(name, .title) + space + words + "\n"
  }
}

extension PolicyCatalogue {
  fileprivate var document: JSONTree {
    [
      "policies": .list(PolicyPreset.all) { $0.document },
      "seats": .list(seats) { $0.document },
      "heuristics": .list(ShortForm.all) {
        ["heuristic": .string($0.form), "about": .string($0.about)]
      },
    ]
  }
}

extension PolicyPreset {
  fileprivate var document: JSONTree {
    [
      "policy": .string(name), "about": .string(about), "choices": description.written,
      "evidence": .list(evidence) {
        ["seat": .string($0.seat.word)] + source($0.source, $0.confidence)
      },
      "exits": source(exits.source, exits.confidence), "snapshot": .text(snapshot),
      "gotchas": .strings(gotchas), "knownWith": knownMedia().map { .string($0) },
    ]
  }
}

private func source(_ source: String?, _ confidence: PolicyPreset.Confidence?) -> JSONTree {
  ["source": .text(source), "confidence": .text(confidence?.word)]
}

extension PolicyCatalogue.Seat {
  fileprivate var document: JSONTree {
    [
      "seat": .string(name), "about": .string(about), "blocks": .list(blocks) { $0.document },
      "parameters": .list(parameters) { $0.document },
    ]
  }
}

extension PolicyCatalogue.Block {
  fileprivate var document: JSONTree {
    [
      "block": .string(name), "about": .string(about),
      "parameters": .list(parameters) { $0.document },
    ] + goldilocks.source(source?.source, source?.confidence)
  }
}

extension PolicyCatalogue.Parameter {
  // Its absence is written as it would stand in a scenario.
  fileprivate var document: JSONTree {
    [
      "parameter": .string(name), "about": .string(about),
      "absent": absent.map { .number($0) } ?? .null,
    ]
  }
}
