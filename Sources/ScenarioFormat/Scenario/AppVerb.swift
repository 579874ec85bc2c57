import Autowait
import SimulatedPlayback
import StreamingMedia
import VirtualTime

/// Something that an app can do, as a script has it: a row for each, with what stands beside it.
struct AppVerb: Sendable {
  let name: String
  let about: String
  // Perf: to describe all of them takes 400,000 instructions in every process that reads a script.
  let arguments: @Sendable () -> [KeyShape]
  /// Whether it is about one item, which may be named.
  let concernsItem: Bool
  /// The kind of media or link that it applies to; nil for every kind.
  let scope: Scope?
  /// The action of a step with this verb; nil where a mistake was reported.
  let action: @Sendable (inout DocumentObject, ScriptDecoding) -> AppAction?

  static let all = player + live + queue + link

  static let argumentKeys = distinct(all.flatMap { $0.arguments().map { $0.name } })

  private static let player: [AppVerb] = [
    verb("play", .play, "Asks to play at the default rate."),
    verb("tap", .tap, "The user taps: tap to motion counts from here."),
    verb("pause", .pause, "Sets the rate to zero."),
    verb(
      "playImmediately", { .playImmediately($0 ?? .normal) },
      "Plays what there is without waiting for more.",
      Argument(
        optional: "rate", Form.rate.checked(expected: "a rate above zero") { !$0.isZero },
        "Above zero; by default 1.")),
    verb(
      "setRate", AppAction.setRate, "Sets the rate; what happens is the player's to decide.", rate),
    verb("setDefaultRate", AppAction.setDefaultRate, "Sets the rate that play asks for.", rate),
    verb(
      "seek", { .seek($0, within: SeekTolerance(before: $1 ?? .zero, after: $2 ?? .zero)) },
      "Moves the playhead; a seek past the end is cancelled.", to(.mediaPlace, "Target time."),
      Argument(
        optional: "toleranceBefore", .mediaPlace,
        "Tolerance before the target, where ending there is faster; exact by default."),
      Argument(optional: "toleranceAfter", .mediaPlace, "Tolerance after it.")),
    verb(
      "cancelPendingSeeks", .call(.cancelPendingSeeks),
      "Completes pending seeks with finished = false."),
    verb("preroll", .call(.preroll), "Fills the pipeline before the app asks to play."),
    verb(
      "beginInterruption", .call(.halt(.audioSessionInterrupted)),
      "Another app takes the audio session, which pauses the player."),
    verb(
      "endInterruption", { .endInterruption(resumes: $0 ?? false) },
      "The audio session is the app's again.",
      Argument(
        optional: "shouldResume", .boolean,
        "Whether the app is told to resume, and plays on at the rate that it had.")),
    verb(
      "enterBackground", { .enterBackground(playsOn: $0 ?? false) }, "The app leaves the screen.",
      Argument(
        optional: "backgroundAudio", .boolean,
        "Whether it may play there; without, the player pauses, and calls to play are refused.")),
    verb("enterForeground", .enterForeground, "The app returns; it resumes nothing by itself."),
    verb(
      "setAutomaticallyWaitsToMinimizeStalling", AppAction.setWaitsAutomatically,
      "Switches automatic waiting.", onOrOff),
    verb(
      "setForwardPlaybackEndTime", AppAction.setForwardPlaybackEndTime, "Sets where playback ends.",
      to(.nullable(.mediaPlace), "End time; null stands for the end of the media."), ofItem: true),
    verb(
      "setActionAtItemEnd", AppAction.setActionAtItemEnd,
      "Sets what happens at the end of the item.",
      to(.cases, "The action.")),
    verb(
      "setPreferredForwardBufferDuration", AppAction.setPreferredForwardBufferDuration,
      "Sets how much media to buffer ahead.",
      to(.mediaPlace, "The duration; zero leaves it to the player."), only: .remote, ofItem: true),
    verb(
      "setPreferredPeakBitRate", AppAction.setPreferredPeakBitRate,
      "Sets the most that a variant may need; zero sets no limit.",
      to(.bitRateLimit, "The bit rate; zero sets no limit."), only: .streams, ofItem: true),
    verb(
      "setPreferredMaximumResolution", AppAction.setPreferredMaximumResolution,
      "Sets the largest picture that is wanted.",
      to(.nullable(.pixels), "The size; null sets no limit."), only: .streams, ofItem: true),
    verb(
      "setLayer", AppAction.setLayer, "Sets the layer that shows the picture.",
      to(.nullable(LayerDescription.form), "The layer; null takes it away.")),
    verb(
      "selectAudio", { .select(MediaSelection(.audio, language: $0)) },
      "Selects the language of the sound.",
      Argument("to", .text("en"), "The language.") { $1.languages.reference(to: .audio)($0) },
      only: .languages, ofItem: true),
    verb(
      "selectSubtitles", { .select(MediaSelection(.subtitles, language: $0)) },
      "Selects the language of the subtitles, or switches them off.",
      Argument("to", .nullable(.text("en")), "The language; null switches them off.") {
        node, known in
        node.isNull ? .some(nil) : known.languages.reference(to: .subtitles)(node).map { .some($0) }
      }, only: .languages, ofItem: true),
    verb(
      "setExpensiveNetwork", AppAction.setExpensiveNetwork,
      "Changes whether the path is one that costs, such as a cellular one.", onOrOff,
      only: .anyStream),
    verb(
      "setNetworkResourcePriority", AppAction.setNetworkResourcePriority,
      "Sets how many shares of the link the player's requests have, those under way included.",
      to(.cases, "The priority.")),
    verb(
      "setTrackEnabled", { .setTrackEnabled(name: $0.name, index: $0.index, $1) },
      "Enables or disables a track of the file.",
      Argument("track", .text("French"), "Its name.") { $1.tracks.reference($0) },
      to(.boolean, "Enabled or not."), ofItem: true),
    verb(
      "beginSuspension", AppAction.beginSuspension,
      "Suspends playback until endSuspension.", suspension),
    verb("endSuspension", AppAction.endSuspension, "Ends that suspension.", suspension),
    verb(
      "setRateAtHostTime", { .setRateAtHostTime($0, time: $1, hostTime: $2) },
      "Ties the playhead to a timeline outside.", rate,
      Argument(optional: "time", .mediaPlace, "Media time; by default the current time."),
      Argument(
        optional: "hostTime", .hostTime,
        "Host time for that media time: a time of the run, or relative to this step.")),
    verb(
      "loadValues", { .loadValues(keys: $0 ?? [AssetKey.duration.rawValue]) },
      "Asks for values of the asset, which begins to load with the first.",
      Argument(
        optional: "keys", .list(of: Form<AssetKey>.cases.map { $0.rawValue }, atLeast: 1),
        "Keys to load; by default the duration.")),
    verb(
      "setItem", .setItem,
      "Makes the item current, or enqueues the queue; repeated, new items of the same media."),
    verb(
      "replaceCurrentItem", AppAction.replaceItem,
      "Makes another item current in place of the one that is.",
      Argument(
        optional: "item", .text("trailer"), "Name of the item; by default the scenario's media."
      ) { $1.items.name($0) }),
    verb(
      "releaseLeakedPlayer", { .link(.releaseLeakedPlayer($0)) },
      "Releases one of the leaked players, which gives back its requests.",
      Argument("leaked", .whole(in: 1...32), "Number of the player, from 1.")),
    verb("removeItem", .removeItem, "Takes the current item away."),
    verb(
      "project", AppAction.project,
      "Projects the current time both ways, the right and the wrong one.",
      Argument("ahead", .span, "Time into the future.")),
    verb(
      "showPanel", .showPanel,
      "Shows the nine properties as they are now, instead of those at each change."),
  ]

  private static let rate = Argument<PlaybackRate>("rate", .rate, "The rate.")

  private static let onOrOff = to(.boolean, "On or off.")

  private static let suspension = Argument<Suspension>(
    "by", .cases,
    "An interstitial, or participants of coordinated playback who are not ready.")

  private static let live: [AppVerb] = [
    verb("seekToLive", .seekToLive, "Seeks to where a live stream would begin now.", only: .live),
    verb(
      "setAutomaticallyPreservesTimeOffsetFromLive", AppAction.setPreservesOffset,
      "Sets whether the distance from the live edge is restored after buffering.", onOrOff,
      only: .live, ofItem: true),
    verb(
      "setConfiguredTimeOffsetFromLive", AppAction.setConfiguredOffset,
      "Sets how far from the live edge playback begins.",
      to(.nullable(.mediaPlace), "The distance; null leaves it to the server."), only: .live,
      ofItem: true),
    verb(
      "setCanUseNetworkResourcesForLiveStreamingWhilePaused", AppAction.setUsesNetworkWhilePaused,
      "Sets whether live playlists are read while paused.", onOrOff, only: .live, ofItem: true),
  ]

  private static let queue: [AppVerb] = [
    verb(
      "insert", { .edit(.insert(item: $0, after: $1)) },
      "Puts an item behind another, or at the end of the queue.", item,
      Argument(optional: "afterItem", .text("clip"), "Item before it; by default the last one.") {
        $1.items.name($0)
      }),
    verb(
      "remove", { .edit(.remove(item: $0)) },
      "Takes an item out of the queue; the current one gives way to the next.", item),
    verb("removeAllItems", .edit(.removeAllItems), "Empties the queue, which stops the player."),
    verb("advanceToNextItem", .edit(.advanceToNextItem), "Gives up the current item for the next."),
    verb("startLooping", .edit(.startLooping), "Begins to loop the media."),
    verb(
      "disableLooping", .edit(.disableLooping), "Ends the looping; what plays is the last time."),
  ]

  private static let link: [AppVerb] = [
    verb(
      "switchLink", { .link(.switchLink(on: $0)) }, "Switches the link's conditions.",
      to(.words([("on", true), ("off", false)]), "On or off."), only: .remote),
    verb(
      "changeLink", { .link(.changeLink($0)) }, "Changes the link's conditions.",
      Argument("to", ConditionsDescription.keys.shape, "New conditions of the link.") {
        $1.links.conditions($0)
      }, only: .remote),
    verb(
      "changeSchedule", { .link(.changeSchedule($0)) }, "Starts another schedule, or none.",
      to(.nullable(.schedule), "The schedule; null ends it."), only: .remote),
    verb("suspendTraffic", { .link(.suspendTraffic($0)) }, "Pauses competing downloads.", traffic),
    verb("resumeTraffic", { .link(.resumeTraffic($0)) }, "Resumes competing downloads.", traffic),
    verb("stopTraffic", { .link(.stopTraffic($0)) }, "Breaks off competing downloads.", traffic),
  ]

  private static let item = Argument<String>("item", .text("clip"), "Its name.") {
    $1.items.name($0)
  }

  private static let traffic = Argument<String>(
    "traffic", .text("background"), "Its name."
  ) { $1.traffic.name($0) }
}

private struct Argument<Value>: Sendable {
  let shape: KeyShape
  /// Nil where a mistake was reported.
  let read: @Sendable (inout DocumentObject, ScriptDecoding) -> Value?

  /// One that is read by what is known of the rest of the scenario.
  init(
    _ name: String, _ shape: Shape, _ about: String,
    read: @escaping @Sendable (DocumentNode, ScriptDecoding) -> Value?
  ) {
    self.shape = KeyShape(name: name, makeShape: { shape }, presence: .required, about: about)
    self.read = { object, known in object.required(name) { read($0, known) } }
  }

  init(_ name: String, _ form: Form<Value>, _ about: String) {
    let read = form.read
    self.init(name, form.shape, about) { node, _ in read(node) }
  }

  init<Wrapped>(
    optional name: String, _ form: Form<Wrapped>, _ about: String,
    read: (@Sendable (DocumentNode, ScriptDecoding) -> Wrapped?)? = nil
  ) where Value == Wrapped? {
    shape = KeyShape(name: name, makeShape: form.makeShape, presence: .optional, about: about)
    let read = read ?? { node, _ in form.read(node) }
    self.read = { object, known in .some(object.optional(name) { read($0, known) }) }
  }
}

extension AppVerb {
  private init(
    _ name: String, _ about: String, _ scope: Scope?, _ isOfItem: Bool,
    _ arguments: @autoclosure @escaping @Sendable () -> [KeyShape],
    _ action: @escaping @Sendable (inout DocumentObject, ScriptDecoding) -> AppAction?
  ) {
    self.init(
      name: name, about: about, arguments: { arguments() + (isOfItem ? [Self.ofItem] : []) },
      concernsItem: isOfItem, scope: scope, action: action)
  }

  private static let ofItem = KeyShape(
    name: "item", makeShape: { .text("trailer") }, presence: .optional,
    about: "Item of the queue; by default the current one, or all to come if there is none.")

  private static func verb(
    _ name: String, _ action: AppAction, _ about: String, only scope: Scope? = nil
  ) -> AppVerb {
    AppVerb(name, about, scope, false, []) { _, _ in action }
  }

  private static func verb<A>(
    _ name: String, _ action: @escaping @Sendable (A) -> AppAction, _ about: String,
    _ argument: @autoclosure @escaping @Sendable () -> Argument<A>, only scope: Scope? = nil,
    ofItem isOfItem: Bool = false
  ) -> AppVerb {
    AppVerb(name, about, scope, isOfItem, [argument().shape]) { object, known in
      argument().read(&object, known).map(action)
    }
  }

  private static func verb<A, B>(
    _ name: String, _ action: @escaping @Sendable (A, B) -> AppAction, _ about: String,
    _ first: @autoclosure @escaping @Sendable () -> Argument<A>,
    _ second: @autoclosure @escaping @Sendable () -> Argument<B>, ofItem isOfItem: Bool = false
  ) -> AppVerb {
    AppVerb(name, about, nil, isOfItem, [first().shape, second().shape]) { object, known in
      let (a, b) = (first().read(&object, known), second().read(&object, known))
      guard let a, let b else { return nil }
      return action(a, b)
    }
  }

  private static func verb<A, B, C>(
    _ name: String, _ action: @escaping @Sendable (A, B, C) -> AppAction, _ about: String,
    _ first: @autoclosure @escaping @Sendable () -> Argument<A>,
    _ second: @autoclosure @escaping @Sendable () -> Argument<B>,
    _ third: @autoclosure @escaping @Sendable () -> Argument<C>
  ) -> AppVerb {
    AppVerb(name, about, nil, false, [first().shape, second().shape, third().shape]) {
      object, known in
      let (a, b) = (first().read(&object, known), second().read(&object, known))
      let c = third().read(&object, known)
      guard let a, let b, let c else { return nil }
      return action(a, b, c)
    }
  }

  private static func to<Value>(_ form: Form<Value>, _ about: String) -> Argument<Value> {
    Argument("to", form, about)
  }
}
