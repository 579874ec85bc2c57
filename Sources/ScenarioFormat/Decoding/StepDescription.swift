import ExactText
import SimulatedWorld
import VirtualTime

struct StepDescription {
  let known: ScriptDecoding
  var trigger: ScriptStep.Trigger?
  var after: String?
  var number: Int64 = 1
  var verb: AppVerb?
  var name: String?
  var delay = TimeSpan.zero
  var isNotified = false

  /// The words of “do” bring further keys.
  static let shape = Shape.object("step") {
    let verbs = AppVerb.all.map {
      ObjectShape(name: $0.name, about: $0.about, keys: $0.arguments())
    }
    return changed(keys.roster.object) { $0.branches = ("do", verbs) }
  }

  func read(_ node: DocumentNode) -> ScriptStep? {
    Self.keys.read(node, self) { part, object in
      guard let verb = part.verb else {
        object.know(AppVerb.argumentKeys)
        return nil
      }
      let action = verb.action(&object, known)
      let item = verb.concernsItem ? object.optional("item", as: known.items.name) : nil
      guard let action, let trigger = part.trigger else { return nil }
      var step = ScriptStep(
        name: part.name ?? verb.name,
        trigger: trigger.counting(to: part.number, after: part.after), verb: verb.name,
        action: action, position: node.value.position)
      step.appDelay = part.delay
      step.isNotified = part.isNotified
      step.item = item
      return step
    }
  }

  private static let keys = KeyTable<Self>("step", "Something that the app does.") {
    Key.read("at", .oneOf, as: TimeAfterStep.shape, "Time of the action.") {
      $1.trigger.takes(TimeAfterStep.trigger($0, $1.known.names))
    }
    Key.oneOf(
      "when", { $0.trigger = .when($1, after: nil) }, .condition, "Done as soon as this is true.")
    Key.oneOf(
      "on", { $0.trigger = .event($1, number: 1, after: nil) }, .event,
      "Done when this event has come, such as “seekDidComplete”.")
    Key.optional(
      "number", { $0.number = $1 }, .whole(in: 1...Int64.max), absent: 1,
      "Number of the event, from 1."
    ).beside("on", expected: "an event")
    Key.read(
      "after", as: .text("start"),
      "The condition is looked at, or the event counted, once this step was done."
    ) { $1.after.takes($1.known.names.reference($0)) }.notBeside("at")
    Key.required("do", { $0.verb = $1 }, verb, "Action.")
    Key.optional("name", { $0.name = $1 }, .text("begin"), "Name for other steps and expectations.")
    Key.optional(
      "appDelay", { $0.delay = $1 }, .span, absent: "0 s",
      "Time of the app's own code before the call.")
    Key.optional(
      "byNotification", { $0.isNotified = $1 }, .boolean, absent: false,
      "Whether the app hears of the condition by a notification, with the player's latency."
    ).beside("when", expected: "a condition that is told of")
  }

  private static let verb = Form.words(AppVerb.all.map { ($0.name, $0) })
}

private struct TimeAfterStep {
  let names: StepNames
  var step: String?
  var span = TimeSpan.zero

  static let shape = Shape.named("stepTime", "A time of the run, or so long after another step.") {
    .anyOf([.time, keys.shape])
  }

  /// "3 s", or so long after another step.
  static func trigger(_ node: DocumentNode, _ names: StepNames) -> ScriptStep.Trigger? {
    guard case .object = node.content else { return Form.instant.read(node).map { .at($0) } }
    return keys.read(node, TimeAfterStep(names: names)) { part, _ in
      part.step.map { .after(step: $0, part.span) }
    }
  }

  private static let keys = KeyTable<Self>("timeAfterStep", "So long after another step.") {
    Key.read(
      "after", .required, as: .text("start"), "The earlier step, by its name or its action."
    ) { $1.step.takes($1.names.reference($0)) }
    Key.optional("by", { $0.span = $1 }, .span, absent: "0 s", "Time that passes after it.")
  }
}

extension Form<PlaybackCondition> {
  fileprivate static var condition: Form {
    Form(
      .named("condition", "Something that can become true of the player.") {
        var (bounded, counted, alone): ([String], [String], [String]) = ([], [], [])
        for word in ConditionWord.all {
          switch word.bound {
          case .time: bounded += word.spellings
          case .count: counted.append(word.name)
          case .none: alone += word.spellings
          }
        }
        return .pattern(
          "^ *((\(anyWord(bounded))) *[<>]= *\(UnitSystem.time.pattern)"
            + "|(\(anyWord(counted))) *>= *[0-9]+|\(anyWord(alone))) *$",
          noun: "a condition", examples: ConditionWord.all.map { $0.form })
      }, Decode.condition)
  }
}
