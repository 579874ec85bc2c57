import Autowait
import SimulatedPlayback

extension Schema {
  static var script: Schema {
    list(of: anyOf(AppVerb.allCases.map { step($0) }))
  }

  static let scriptParts: [SchemaKey] = [
    SchemaKey(
      "stepTime",
      anyOf([
        time,
        object([
          .required("after", text("start"), "The step it follows, by name or by what it does."),
          SchemaKey("by", time, "How long after it; at once unless said otherwise."),
        ]),
      ]),
      "A time of the run, or so long after another step."),
    SchemaKey("condition", condition, "Something that can become true of the player."),
  ]

  private static var condition: Schema {
    var (bounded, counted, alone): ([String], [String], [String]) = ([], [], [])
    for word in ConditionWord.all {
      switch word.bound {
      case .time: bounded.append(word.name)
      case .count: counted.append(word.name)
      case .none: alone.append(word.name)
      }
    }
    var schema = pattern(
      "^ *((\(choice(bounded))) *>= *\(part(.time))|(\(choice(counted))) *>= *[0-9]+"
        + "|\(choice(alone))) *$")
    schema = schema.with(
      "examples", .array(ConditionWord.all.map { JSONValue(.string($0.form)) }))
    return schema
  }

  private static func step(_ verb: AppVerb) -> Schema {
    object(
      [
        SchemaKey("at", reference("stepTime"), "When it is done."),
        SchemaKey("when", reference("condition"), "Done as soon as this is true."),
        SchemaKey(
          "after", text("start"), "The condition is looked at once this step was done."),
        .required("do", constant(verb.name), verb.summary),
      ] + verb.arguments + [
        SchemaKey(
          "byNotification", boolean,
          "Whether the app hears of the condition by a notification, with the player's latency."),
        SchemaKey(
          "appDelay", time, "How long the app's own code takes before the call; none as a rule."),
        SchemaKey("name", text("begin"), "What other steps and expectations call it."),
      ],
      // A step that follows another at a time says so in "at".
      oneOf: [["at"], ["when"]]
    ).with(
      "dependentRequired",
      .object(
        ["after", "byNotification"].map {
          JSONMember($0, JSONValue(.array([JSONValue(.string("when"))])))
        }))
  }
}

extension AppVerb {
  fileprivate var summary: String {
    switch self {
    case .player(let verb): verb.summary
    case .live(let verb): verb.summary
    case .queue(let verb): verb.summary
    case .link(let verb): verb.summary
    }
  }

  fileprivate var arguments: [SchemaKey] {
    let own =
      switch self {
      case .player(let verb): verb.arguments
      case .live(let verb): verb.arguments
      case .queue(let verb): verb.arguments
      case .link(let verb): verb.arguments
      }
    return concernsItem ? own + [itemArgument] : own
  }

  private var itemArgument: SchemaKey {
    SchemaKey(
      "item", .text("trailer"),
      "Which item of the queue, by its name; as a rule the current one, and where there is none "
        + "yet all that are to come.")
  }
}

extension PlayerVerb {
  fileprivate var summary: String {
    switch self {
    case .play: "Asks to play at the default rate."
    case .pause: "Sets the rate to zero."
    case .playImmediately: "Plays what there is without waiting for more."
    case .setRate: "Sets the rate; what happens is the player's to decide."
    case .setDefaultRate: "Sets the rate that play asks for."
    case .seek: "Moves the playhead."
    case .setAutomaticallyWaitsToMinimizeStalling: "Switches automatic waiting."
    case .setForwardPlaybackEndTime: "Sets where playback ends."
    case .setActionAtItemEnd: "Sets what happens at the end of the item."
    case .setPreferredForwardBufferDuration: "Sets how much media to buffer ahead."
    case .setPreferredPeakBitRate: "Sets the most that a variant may need; zero sets no limit."
    case .setLayer: "Sets the layer that shows the picture."
    case .selectAudio: "Selects the language of the sound."
    case .selectSubtitles: "Selects the language of the subtitles, or switches them off."
    case .setExpensiveNetwork: "Changes whether the path is one that costs, such as a cellular one."
    case .setNetworkResourcePriority:
      "Sets how many shares of the link the player's requests have, those under way included."
    case .setTrackEnabled: "Enables or disables a track of the file."
    case .beginSuspension: "Something outside holds the player up from now on."
    case .endSuspension: "It does no longer."
    case .setRateAtHostTime: "Ties the playhead to a timeline outside."
    case .loadValues: "Asks for values of the asset, which begins to load with the first."
    case .setItem: "Makes the item current, or enqueues the queue."
    case .removeItem: "Takes the current item away."
    case .project: "Projects the current time both ways, the right and the wrong one."
    }
  }

  fileprivate var arguments: [SchemaKey] {
    switch self {
    case .play, .pause, .setItem, .removeItem: []
    case .setExpensiveNetwork, .setAutomaticallyWaitsToMinimizeStalling:
      [.required("to", .boolean, "On or off.")]
    case .playImmediately:
      [SchemaKey("rate", .playbackRate, "Above zero; 1 unless said otherwise.")]
    case .setRate, .setDefaultRate: [.required("rate", .playbackRate, "The rate.")]
    case .seek: [.required("to", .time, "Where to.")]
    case .setForwardPlaybackEndTime:
      [.required("to", .nullable(.time), "Where; null stands for the end of the media.")]
    case .setActionAtItemEnd:
      [.required("to", .words(["advance", "pause", "none"]), "What happens.")]
    case .setPreferredForwardBufferDuration:
      [.required("to", .time, "How much; zero leaves it to the player.")]
    case .setPreferredPeakBitRate:
      [.required("to", .reference("bitRate"), "How much; zero sets no limit.")]
    case .setLayer: [.required("to", .nullable(.layer), "The layer; null takes it away.")]
    case .selectAudio: [.required("to", .text("en"), "The language.")]
    case .selectSubtitles:
      [.required("to", .nullable(.text("en")), "The language; null switches them off.")]
    case .loadValues: loadArguments
    case .setNetworkResourcePriority:
      [
        .required(
          "to", .words(NetworkResourcePriority.allCases.map { $0.rawValue }), "The priority.")
      ]
    case .setTrackEnabled: trackArguments
    case .beginSuspension, .endSuspension: suspensionArguments
    case .setRateAtHostTime: hostTimeArguments
    case .project: [.required("ahead", .time, "How far into the future.")]
    }
  }

  private var trackArguments: [SchemaKey] {
    [
      .required("track", .text("French"), "Which, by its name."),
      .required("to", .boolean, "Enabled or not."),
    ]
  }

  private var suspensionArguments: [SchemaKey] {
    [
      .required(
        "by", .words(Suspension.allCases.map { $0.word }),
        "An interstitial, or participants of coordinated playback who are not ready.")
    ]
  }

  private var loadArguments: [SchemaKey] {
    [
      SchemaKey(
        "keys", .list(of: .words(AssetKey.allCases.map { $0.rawValue }), atLeast: 1),
        "Which; the duration unless said otherwise.")
    ]
  }

  private var hostTimeArguments: [SchemaKey] {
    [
      .required("rate", .playbackRate, "The rate."),
      SchemaKey("time", .time, "Where in the media; the current time unless said otherwise."),
      SchemaKey(
        "hostTime",
        .pattern(
          "^ *((at|in) +\(Schema.part(.time))|\(Schema.part(.time)) ago)$"
        ).examples("at 12 s", "in 2 s", "2 s ago"),
        "When the playhead is there: a time of the run, or so long before or after this step."),
    ]
  }
}

extension LiveVerb {
  fileprivate var summary: String {
    switch self {
    case .seekToLive: "Seeks to where a live stream would begin now."
    case .setAutomaticallyPreservesTimeOffsetFromLive:
      "Sets whether the distance from the live edge is restored after buffering."
    case .setConfiguredTimeOffsetFromLive: "Sets how far from the live edge playback begins."
    case .setCanUseNetworkResourcesForLiveStreamingWhilePaused:
      "Sets whether live playlists are read while paused."
    }
  }

  fileprivate var arguments: [SchemaKey] {
    switch self {
    case .seekToLive: []
    case .setAutomaticallyPreservesTimeOffsetFromLive,
      .setCanUseNetworkResourcesForLiveStreamingWhilePaused:
      [.required("to", .boolean, "On or off.")]
    case .setConfiguredTimeOffsetFromLive:
      [.required("to", .nullable(.time), "How far; null leaves it to the server.")]
    }
  }
}

extension QueueVerb {
  fileprivate var summary: String {
    switch self {
    case .insert: "Puts an item behind another, or at the end of the queue."
    case .remove: "Takes an item out of the queue; the current one gives way to the next."
    case .removeAllItems: "Empties the queue, which stops the player."
    case .advanceToNextItem: "Gives up the current item for the next."
    case .startLooping: "Begins to loop what is played."
    case .disableLooping: "Ends the looping; what plays is the last time."
    }
  }

  fileprivate var arguments: [SchemaKey] {
    switch self {
    case .removeAllItems, .advanceToNextItem, .startLooping, .disableLooping: []
    case .insert: itemArguments + [otherItem]
    case .remove: itemArguments
    }
  }

  private var itemArguments: [SchemaKey] {
    [.required("item", .text("clip"), "Which, by its name.")]
  }

  private var otherItem: SchemaKey {
    SchemaKey("afterItem", .text("clip"), "Behind which; at the end unless said otherwise.")
  }
}

extension LinkVerb {
  fileprivate var summary: String {
    switch self {
    case .switchLink: "Switches the link's conditions."
    case .changeLink: "Changes what the link is like."
    case .changeSchedule: "Starts another schedule, or none."
    case .suspendTraffic: "Pauses somebody else's downloads."
    case .resumeTraffic: "Lets somebody else's downloads go on."
    case .stopTraffic: "Breaks somebody else's downloads off."
    }
  }

  fileprivate var arguments: [SchemaKey] {
    switch self {
    case .switchLink: [.required("to", .words(["on", "off"]), "On or off.")]
    case .changeLink:
      [.required("to", .reference("conditions"), "What the link is like from now on.")]
    case .changeSchedule:
      [.required("to", .nullable(.reference("schedule")), "The schedule; null ends it.")]
    case .suspendTraffic, .resumeTraffic, .stopTraffic:
      [.required("traffic", .text("background"), "Which, by their name.")]
    }
  }
}
