extension Shape {
  /// What the app does, and when.
  static let script = Shape.named("script", "What the app does, and when.") { .list(of: step) }

  private static let step = Shape.object("step") {
    ObjectShape(
      name: "step", about: "Something that the app does.", keys: stepKeys,
      branches: ObjectShape.Branches(
        key: "do",
        branches: AppVerb.all.map {
          ObjectShape.Branch(word: $0.name, about: $0.about, keys: $0.arguments)
        }))
  }

  private static let stepKeys = [
    key("at", stepTime, "When it is done.", .oneOf),
    key("when", condition, "Done as soon as this is true.", .oneOf),
    key("after", .text("start"), "The condition is looked at once this step was done.")
      .beside("when"),
    key("do", .words(AppVerb.all.map { $0.name }), "What it does.", .required),
    key(
      "byNotification", .boolean,
      "Whether the app hears of the condition by a notification, with the player's latency."
    ).beside("when"),
    key("appDelay", .time, "How long the app's own code takes before the call; none as a rule."),
    key("name", .text("begin"), "What other steps and expectations call it."),
  ]

  private static let stepTime = Shape.named(
    "stepTime", "A time of the run, or so long after another step."
  ) {
    .anyOf([
      .time,
      .object("timeAfterStep") {
        ObjectShape(
          name: "timeAfterStep", about: "So long after another step.",
          keys: [
            key(
              "after", .text("start"), "The step it follows, by name or by what it does.",
              .required),
            key("by", .time, "How long after it; at once unless said otherwise."),
          ])
      },
    ])
  }

  private static let condition = Shape.named(
    "condition", "Something that can become true of the player."
  ) {
    var (bounded, counted, alone): ([String], [String], [String]) = ([], [], [])
    for word in ConditionWord.all {
      switch word.bound {
      case .time: bounded.append(word.name)
      case .count: counted.append(word.name)
      case .none: alone.append(word.name)
      }
    }
    return .pattern(
      "^ *((\(anyWord(bounded))) *>= *\(UnitSystem.time.pattern)"
        + "|(\(anyWord(counted))) *>= *[0-9]+|\(anyWord(alone))) *$",
      noun: "a condition", examples: ConditionWord.all.map { $0.form })
  }

  private static func key(
    _ name: String, _ shape: Shape, _ about: String, _ presence: KeyPresence = .optional
  ) -> KeyShape {
    KeyShape(name: name, shape: shape, presence: presence, absent: nil, about: about)
  }
}

extension KeyShape {
  fileprivate func beside(_ companion: String) -> KeyShape {
    var key = self
    key.companion = companion
    return key
  }
}
