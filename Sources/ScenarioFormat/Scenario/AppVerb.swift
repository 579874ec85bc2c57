import Autowait
import ExactText
import LinkConditioner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

/// Something that an app can do, as a script has it: a row for each, with what stands beside it.
struct AppVerb: Sendable {
  let name: String
  let about: String
  var arguments: [KeyShape]
  /// Whether it is about one item, which may be named.
  var concernsItem = false
  /// The kind of media or link that it applies to; nil for every kind.
  var scope: Scope?
  /// The action of a step with this verb; nil where a mistake was reported.
  let action: @Sendable (inout DocumentObject, ScriptDecoding) -> AppAction?

  static let all = player + live + queue + link

  /// Every key that some verb takes.
  static let argumentKeys = {
    var keys: [String] = []
    for argument in all.flatMap({ $0.arguments })
    where !keys.contains(where: { isSameText($0, argument.name) }) {
      keys.append(argument.name)
    }
    return keys
  }()
}

// MARK: - A player and its item

extension AppVerb {
  private static let player: [AppVerb] = [
    verb("play", "Asks to play at the default rate.", .play),
    verb("tap", "The user taps: tap to motion counts from here.", .tap),
    verb("pause", "Sets the rate to zero.", .pause),
    verb(
      "playImmediately", "Plays what there is without waiting for more.",
      Argument(optional: "rate", .movingRate, "Above zero; by default 1.")
    ) { .playImmediately($0 ?? .normal) },
    verb("setRate", "Sets the rate; what happens is the player's to decide.", rate) {
      .setRate($0)
    },
    verb("setDefaultRate", "Sets the rate that play asks for.", rate) { .setDefaultRate($0) },
    verb(
      "seek", "Moves the playhead; a seek past the end is cancelled.",
      to(.mediaPlace, "Target time."),
      Argument(
        optional: "toleranceBefore", .mediaPlace,
        "Tolerance before the target, where ending there is faster; exact by default."),
      Argument(optional: "toleranceAfter", .mediaPlace, "Tolerance after it.")
    ) { .seek($0, within: SeekTolerance(before: $1 ?? .zero, after: $2 ?? .zero)) },
    verb(
      "cancelPendingSeeks", "Tells what waits for a seek that it will not be completed.",
      .call(.cancelPendingSeeks)),
    verb("preroll", "Fills the pipeline before the app asks to play.", .call(.preroll)),
    verb(
      "beginInterruption", "Somebody else takes the audio session, which pauses the player.",
      .call(.halt(.audioSessionInterrupted))),
    verb(
      "endInterruption", "The audio session is the app's again.",
      Argument(
        optional: "shouldResume", .boolean,
        "Whether the app is told to resume, and plays on at the rate that it had.")
    ) { .endInterruption(resumes: $0 ?? false) },
    verb(
      "enterBackground", "The app leaves the screen.",
      Argument(
        optional: "backgroundAudio", .boolean,
        "Whether it may play on there; without, the player pauses.")
    ) { .enterBackground(playsOn: $0 ?? false) },
    verb(
      "enterForeground", "The app returns; it resumes nothing by itself.", .enterForeground
    ),
    verb("setAutomaticallyWaitsToMinimizeStalling", "Switches automatic waiting.", onOrOff) {
      .setWaitsAutomatically($0)
    },
    verb(
      "setForwardPlaybackEndTime", "Sets where playback ends.",
      to(.nullable(.mediaPlace), "End time; null stands for the end of the media.")
    ) { .setForwardPlaybackEndTime($0) }.ofItem,
    verb(
      "setActionAtItemEnd", "Sets what happens at the end of the item.",
      to(
        Form(.words(["advance", "pause", "none"]), Decode.actionOfQueue), "The action.")
    ) { .setActionAtItemEnd($0) },
    verb(
      "setPreferredForwardBufferDuration", "Sets how much media to buffer ahead.",
      to(.mediaPlace, "The duration; zero leaves it to the player.")
    ) { .setPreferredForwardBufferDuration($0) }.only(.remote).ofItem,
    verb(
      "setPreferredPeakBitRate", "Sets the most that a variant may need; zero sets no limit.",
      to(.bitRateLimit, "The bit rate; zero sets no limit.")
    ) { .setPreferredPeakBitRate($0) }.only(.streams).ofItem,
    verb(
      "setPreferredMaximumResolution", "Sets the largest picture that is wanted.",
      to(.nullable(.pixels), "The size; null sets no limit.")
    ) { .setPreferredMaximumResolution($0) }.only(.streams).ofItem,
    verb(
      "setLayer", "Sets the layer that shows the picture.",
      to(.nullable(LayerDescription.form), "The layer; null takes it away.")
    ) { .setLayer($0) },
    verb(
      "selectAudio", "Selects the language of the sound.",
      Argument("to", .text("en"), "The language.") { $1.languages.reference(to: .audio)($0) }
    ) { .select(MediaSelection(.audio, language: $0)) }.ofItem,
    verb(
      "selectSubtitles", "Selects the language of the subtitles, or switches them off.",
      Argument(
        "to", .nullable(.text("en")), "The language; null switches them off."
      ) { node, known in
        if node.isNull { return .some(nil) }
        return known.languages.reference(to: .subtitles)(node).map { .some($0) }
      }
    ) { .select(MediaSelection(.subtitles, language: $0)) }.ofItem,
    verb(
      "setExpensiveNetwork", "Changes whether the path is one that costs, such as a cellular one.",
      onOrOff
    ) { .setExpensiveNetwork($0) }.only(.streams),
    verb(
      "setNetworkResourcePriority",
      "Sets how many shares of the link the player's requests have, those under way included.",
      to(.cases, "The priority.")
    ) { .setNetworkResourcePriority($0) },
    verb(
      "setTrackEnabled", "Enables or disables a track of the file.",
      Argument("track", .text("French"), "Its name.") { $1.tracks.reference($0) },
      to(.boolean, "Enabled or not.")
    ) { .setTrackEnabled(name: $0.name, index: $0.index, $1) }.ofItem,
    verb("beginSuspension", "Something outside holds the player up from now on.", suspension) {
      .beginSuspension($0)
    },
    verb("endSuspension", "It does no longer.", suspension) { .endSuspension($0) },
    verb(
      "setRateAtHostTime", "Ties the playhead to a timeline outside.", rate,
      Argument(
        optional: "time", .mediaPlace,
        "Media time; by default the current time."),
      Argument(
        optional: "hostTime", .hostTime,
        "Time at which the playhead is there: of the run, or so long before or after this step."
      )
    ) { .setRateAtHostTime($0, time: $1, hostTime: $2) },
    verb(
      "loadValues", "Asks for values of the asset, which begins to load with the first.",
      Argument(
        optional: "keys", .list(of: .assetKey, atLeast: 1),
        "Keys to load; by default the duration.")
    ) { .loadValues(keys: $0 ?? [AssetKey.duration.rawValue]) },
    verb(
      "setItem", "Makes the item current, or enqueues the queue; again, others of the same media.",
      .setItem),
    verb(
      "replaceCurrentItem", "Makes another item current in place of the one that is.",
      Argument(
        optional: "item", .text("trailer"),
        "Name of the item; by default the scenario's media."
      ) { $1.items.name($0) }
    ) { .replaceItem($0) },
    verb(
      "releaseLeakedPlayer", "Releases one of the leaked players, which gives back its requests.",
      Argument(
        "leaked", .whole(in: 1...32), "Number of the player, from 1.")
    ) { .link(.releaseLeakedPlayer($0)) },
    verb("removeItem", "Takes the current item away.", .removeItem),
    verb(
      "project", "Projects the current time both ways, the right and the wrong one.",
      Argument("ahead", .span, "Time into the future.")
    ) { .project($0) },
    verb(
      "showPanel", "Shows the nine properties as they are now, instead of those at each change.",
      .showPanel
    ),
  ]

  private static let rate = Argument<PlaybackRate>("rate", .rate, "The rate.")

  private static let onOrOff = to(.boolean, "On or off.")

  private static let suspension = Argument<Suspension>(
    "by", .cases,
    "An interstitial, or participants of coordinated playback who are not ready.")
}

// MARK: - Streams, queues and links

extension AppVerb {
  private static let live: [AppVerb] = [
    verb("seekToLive", "Seeks to where a live stream would begin now.", .seekToLive).only(.live),
    verb(
      "setAutomaticallyPreservesTimeOffsetFromLive",
      "Sets whether the distance from the live edge is restored after buffering.", onOrOff
    ) { .setPreservesOffset($0) }.only(.live).ofItem,
    verb(
      "setConfiguredTimeOffsetFromLive", "Sets how far from the live edge playback begins.",
      to(.nullable(.mediaPlace), "The distance; null leaves it to the server.")
    ) { .setConfiguredOffset($0) }.only(.live).ofItem,
    verb(
      "setCanUseNetworkResourcesForLiveStreamingWhilePaused",
      "Sets whether live playlists are read while paused.", onOrOff
    ) { .setUsesNetworkWhilePaused($0) }.only(.live).ofItem,
  ]

  private static let queue: [AppVerb] = [
    verb(
      "insert", "Puts an item behind another, or at the end of the queue.", item,
      Argument(
        optional: "afterItem", .text("clip"), "Item before it; by default the last one."
      ) { $1.items.name($0) }
    ) { .edit(.insert(item: $0, after: $1)) },
    verb("remove", "Takes an item out of the queue; the current one gives way to the next.", item) {
      .edit(.remove(item: $0))
    },
    verb("removeAllItems", "Empties the queue, which stops the player.", .edit(.removeAllItems)),
    verb(
      "advanceToNextItem", "Gives up the current item for the next.", .edit(.advanceToNextItem)
    ),
    verb("startLooping", "Begins to loop the media.", .edit(.startLooping)),
    verb(
      "disableLooping", "Ends the looping; what plays is the last time.", .edit(.disableLooping)),
  ]

  private static let link: [AppVerb] = [
    verb(
      "switchLink", "Switches the link's conditions.",
      to(.words([("on", true), ("off", false)]), "On or off.")
    ) { .link(.switchLink(on: $0)) }.only(.remote),
    verb(
      "changeLink", "Changes the link's conditions.",
      Argument(
        "to", ConditionsDescription.keys.shape, "New conditions of the link."
      ) { $1.links.conditions($0) }
    ) { .link(.changeLink($0)) }.only(.remote),
    verb(
      "changeSchedule", "Starts another schedule, or none.",
      to(.nullable(.schedule), "The schedule; null ends it.")
    ) { .link(.changeSchedule($0)) }.only(.remote),
    verb("suspendTraffic", "Pauses competing downloads.", traffic) {
      .link(.suspendTraffic($0))
    },
    verb("resumeTraffic", "Resumes competing downloads.", traffic) {
      .link(.resumeTraffic($0))
    },
    verb("stopTraffic", "Breaks off competing downloads.", traffic) {
      .link(.stopTraffic($0))
    },
  ]

  private static let item = Argument<String>("item", .text("clip"), "Its name.") {
    $1.items.name($0)
  }

  private static let traffic = Argument<String>(
    "traffic", .text("background"), "Its name."
  ) { $1.traffic.name($0) }
}

// MARK: - Rows

private struct Argument<Value>: Sendable {
  let shape: KeyShape
  /// Nil where a mistake was reported.
  let read: @Sendable (inout DocumentObject, ScriptDecoding) -> Value?

  /// One that is read by what is known of the rest of the scenario.
  init(
    _ name: String, _ shape: Shape, _ about: String,
    read: @escaping @Sendable (DocumentNode, ScriptDecoding) -> Value?
  ) {
    self.shape = KeyShape(name: name, shape: shape, presence: .required, about: about)
    self.read = { object, known in object.required(name) { read($0, known) } }
  }

  init(_ name: String, _ form: Form<Value>, _ about: String) {
    let read = form.read
    self.init(name, form.shape, about) { node, _ in read(node) }
  }

  init<Wrapped>(
    optional name: String, _ shape: Shape, _ about: String,
    read: @escaping @Sendable (DocumentNode, ScriptDecoding) -> Wrapped?
  ) where Value == Wrapped? {
    self.shape = KeyShape(name: name, shape: shape, presence: .optional, about: about)
    self.read = { object, known in .some(object.optional(name) { read($0, known) }) }
  }

  init<Wrapped>(
    optional name: String, _ form: Form<Wrapped>, _ about: String
  ) where Value == Wrapped? {
    let read = form.read
    self.init(optional: name, form.shape, about) { node, _ in read(node) }
  }
}

extension AppVerb {
  private static func verb(_ name: String, _ about: String, _ action: AppAction) -> AppVerb {
    AppVerb(name: name, about: about, arguments: []) { _, _ in action }
  }

  private static func verb<A>(
    _ name: String, _ about: String, _ argument: Argument<A>,
    _ action: @escaping @Sendable (A) -> AppAction
  ) -> AppVerb {
    AppVerb(name: name, about: about, arguments: [argument.shape]) { object, known in
      argument.read(&object, known).map(action)
    }
  }

  private static func verb<A, B>(
    _ name: String, _ about: String, _ first: Argument<A>, _ second: Argument<B>,
    _ action: @escaping @Sendable (A, B) -> AppAction
  ) -> AppVerb {
    AppVerb(name: name, about: about, arguments: [first.shape, second.shape]) { object, known in
      let (a, b) = (first.read(&object, known), second.read(&object, known))
      guard let a, let b else { return nil }
      return action(a, b)
    }
  }

  private static func verb<A, B, C>(
    _ name: String, _ about: String, _ first: Argument<A>, _ second: Argument<B>,
    _ third: Argument<C>, _ action: @escaping @Sendable (A, B, C) -> AppAction
  ) -> AppVerb {
    AppVerb(
      name: name, about: about, arguments: [first.shape, second.shape, third.shape]
    ) { object, known in
      let (a, b) = (first.read(&object, known), second.read(&object, known))
      let c = third.read(&object, known)
      guard let a, let b, let c else { return nil }
      return action(a, b, c)
    }
  }

  /// The same, said of one item, which may be named.
  private var ofItem: AppVerb {
    changed(self) {
      $0.concernsItem = true
      $0.arguments.append(
        KeyShape(
          name: "item", shape: .text("trailer"), presence: .optional,
          about: "Item of the queue: the current one, or before there is one all to come."))
    }
  }

  private func only(_ scope: Scope) -> AppVerb {
    changed(self) { $0.scope = scope }
  }

  private static func to<Value>(_ form: Form<Value>, _ about: String) -> Argument<Value> {
    Argument("to", form, about)
  }
}
