public import VirtualTime

/// The costs of setting media in motion, beside loading it.
///
/// Apple names the work and gives no figures: each is an assumption, and costs nothing unless set.
public struct PipelineCosts: Hashable, Sendable {
  // "As soon as the player item is set … the player starts setting up the playback pipeline"
  // (WWDC16 503).
  /// Setting the pipeline up for an item that becomes current in a player that had none.
  public var build: TimeSpan
  // "The player initially thinks that you wanted to display the still frame at the start of the
  // video. And it might waste some time on that" (WWDC16 503).
  /// Showing the still frame at the start of an item that is current before the app asks to play.
  public var stillFrame: TimeSpan
  // "It's necessary to load media data and decode some of it before you can actually start playing
  // it out. This process of filling up the playback pipelines before playback starts is called
  // preroll" (WWDC16 503).
  /// Filling the pipeline with decoded media: as an item begins, after a seek, after an underrun.
  public var preroll: TimeSpan
  /// Reading through the index of an asset, once it is there.
  public var parse: TimeSpan
  /// The most items of a queue prepared while one plays; nil for as many as are short.
  public var lookAheadDepth: Int32?
  /// Adjusting the pipeline to other tracks in the middle of playback, before iOS 10.
  public var reconfiguration = TimeSpan.zero
  /// Key frame interval: such an adjustment falls back to a key frame; zero lets it go on in place.
  public var keyFrameInterval = MediaTime.zero

  public init(
    build: TimeSpan = .zero, stillFrame: TimeSpan = .zero, preroll: TimeSpan = .zero,
    parse: TimeSpan = .zero, lookAheadDepth: Int32? = nil
  ) {
    self.build = build
    self.stillFrame = stillFrame
    self.preroll = preroll
    self.parse = parse
    self.lookAheadDepth = lookAheadDepth
  }

  /// Media moves as soon as it is there.
  public static let none = PipelineCosts()
}

/// The kind of work that a pipeline is busy with.
public enum PipelineWork: String, Hashable, Sendable, CaseIterable {
  case build
  /// It is taken apart and set up anew in the middle of playback.
  case rebuild
  case stillFrame
  case preroll
}

/// The playback pipeline: its work delays the timebase after the machine says playing.
///
/// Its work is done in the order in which it comes up. Only filling it belongs to an item, because
/// decoded media is thrown away with the item or with the place in it.
package struct Pipeline: Hashable {
  /// Everything but preroll is done from here on.
  package private(set) var readyAt = Instant.zero
  /// The number of times it was set up, the first included.
  package private(set) var buildCount: Int64 = 0
  package private(set) var prerollCount: Int64 = 0
  /// The number of times the index of an asset was parsed.
  package private(set) var parseCount: Int64 = 0

  package init() {}

  /// Takes up work; answers when it will be done.
  package mutating func take(_ work: PipelineWork, lasting span: TimeSpan, at now: Instant)
    -> Instant
  {
    let done = max(readyAt, now) + span
    switch work {
    case .build, .rebuild:
      buildCount += 1
      readyAt = done
    case .stillFrame:
      readyAt = done
    case .preroll:
      prerollCount += 1
    }
    return done
  }

  /// Reads through the index of an asset beside everything else; answers when that will be done.
  package mutating func parse(lasting span: TimeSpan, at now: Instant) -> Instant {
    parseCount += 1
    return now + span
  }

  package mutating func drop(at now: Instant) { readyAt = min(readyAt, now) }
}
