import StreamingMedia
import VirtualTime

/// Something that the player does, and that can be left out to see what depends on it.
///
/// A scenario leaves it out with `"without"`. A standing test leaves out each in turn and looks
/// which of the scenarios shipped miss it: what nobody misses is not shown by any.
package enum Behaviour: String, Hashable, Sendable, CaseIterable {
  /// Content keys are fetched as soon as the multivariant playlist announces them.
  case keyPreloading
  /// The layer's pixels limit the choice of variants.
  case layerSize
  /// A preferred peak bit rate limits the choice of variants.
  case peakBitRateLimit
  /// What the previous playback observed decides the first variant.
  case previousObservation
  /// The variant follows the throughput.
  case adaptation
  /// Pipelines are filled before media moves.
  case preroll
  /// They are filled for the next item while the current one plays.
  case prerollAhead
  /// And for the one after it, where the next is short.
  case deepLookAhead
  /// The next item's media comes in once that of the current one is there.
  case nextItemDownload
  /// Items of one asset load once what they have in common, and parse it once.
  case assetSharing
  /// Each track of a file has a length of its own.
  case trackDurations
  /// An edit list says how long a track is presented.
  case editLists
  /// An item ends where it was told to.
  case forwardPlaybackEndTime
  /// The app hears late of what happens.
  case notificationLatency
  /// The player hears late of what the app wants.
  case commandLatency
  /// An asset loads what it is asked for before an item of it is current.
  case speculativeLoading
  /// Another language throws away what is loaded of the old one.
  case languageChangeDiscards
  /// What the device cannot decode or show is not chosen.
  case deviceSupport
  /// Expensive networks have limits of their own.
  case expensiveNetworkLimits
  /// How much media may lie ahead is the app's to say.
  case forwardBufferLimit
  /// A segment that would leave nothing ahead is given up for a lower variant.
  case rescue
  /// Live playback begins as far from the end of the playlist as the server asks for.
  case liveHoldBack
  /// A live playlist that says nothing new is read again after half the time.
  case hastenedReload
  /// That a live playlist has nothing new does not count as a full buffer.
  case openLiveEdge
  /// A live segment that may have slid out has the playlist read again where it is not found.
  case slidOutReload
  /// Playback jumps forward when what comes next has slid out of the window.
  case windowFollowing
  /// The distance from the live edge is restored after buffering.
  case offsetPreservation
  /// No playlist is read while a live stream is paused.
  case quietPause
  /// A playlist that says that nothing will be added ends the stream.
  case playlistEnd
  /// Segments are fetched part by part near the live edge.
  case partialSegments
  /// The server is asked to hold a playlist until it has something new.
  case blockingReload
  /// The server is asked to leave out of a playlist what is known.
  case deltaUpdates
  /// A playlist that another one has reported on is asked for by its newest part.
  case renditionReports
  /// A part is asked for before it is there.
  case preloadHints
  /// A stream waits for its buffer under any contract.
  case streamWaiting
  /// AVKit and MediaPlayer wait for the buffer under any contract.
  case frameworkWaiting
  /// Setting up a pipeline takes time.
  case pipelineBuild
  /// A layer that comes late has the pipeline set up anew.
  case lateLayerRebuild
  /// An item that is there before play has its still frame shown.
  case stillFrame
  /// A player that has no item yet waits for one.
  case waitingForItem
  /// Before iOS 10 other tracks pause playback.
  case trackChangePause
  /// From iOS 10 on they do not.
  case smoothTrackChanges
  /// Such a pause goes back to a key frame.
  case keyFrameSnap
  /// An interstitial suspends what it interrupts.
  case interstitialSuspension
  /// A coordinated player waits for the other participants.
  case coordinatedSuspension
  /// Tracks say how their picture is to be understood.
  case colourTags
  /// An output that asks for a working space is given it.
  case workingSpace
  /// An output that allows wide colour is given what there is.
  case wideColourPassThrough
  /// A composition works in a space of its own.
  case compositionColour
  /// Pictures that nobody tagged are warned of.
  case untaggedWarning
  /// Who asks for nothing gets Rec. 709.
  case clampTo709
  /// Players share the link by their priority.
  case networkResourcePriority
  /// One stream follows another without a gap.
  case gaplessStreams
  /// Before iOS 15 none does.
  case streamGapBeforeIOS15
  /// The sound has to have the same traits on both sides.
  case audioTraits
  /// The next stream begins with the variant whose sound goes on.
  case continuityBeforeQuality
  /// What an item sees of the link is known to the next.
  case observationAcrossItems
  /// What encoders add to the sound is heard.
  case encoderPadding
  /// Unless an edit list says what it is.
  case encoderEditLists
  /// Another variant takes the place of one that does not come.
  case variantFallback
  /// A variant that did not come is tried again after a while.
  case variantRecovery
  /// Another variant takes the place of one whose playlist says that a segment is missing.
  case gapAvoidance
  /// Another variant takes the place of one whose live playlist is not renewed.
  case staleFallback
  /// A media file of which nothing comes is given up.
  case mediaTimeout
  /// An item with nothing left to try plays what it has before it fails.
  case playingOutTheBuffer
  /// A variant of sound alone is one of its renditions, and comes once.
  case soundAloneOnce
  /// A segment that comes too slowly is given up for one of a lower variant.
  case segmentAbandonment

  /// What scenarios call it.
  package var name: String { rawValue }

  /// Its place in a set.
  fileprivate var place: UInt64 {
    UInt64(Behaviour.allCases.firstIndex(of: self) ?? 0)
  }
}

/// A set of behaviours.
public struct BehaviourSet: Hashable, Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  public init() {}

  package init(_ behaviours: [Behaviour]) {
    for behaviour in behaviours { insert(behaviour) }
  }

  package var isEmpty: Bool { low | high == 0 }

  // Asked all the time of a set that is nearly always empty.
  @inline(__always)
  package func contains(_ behaviour: Behaviour) -> Bool {
    isEmpty ? false : holds(behaviour)
  }

  private func holds(_ behaviour: Behaviour) -> Bool {
    let place = behaviour.place
    return (place < 64 ? low >> place : high >> (place - 64)) & 1 == 1
  }

  package mutating func insert(_ behaviour: Behaviour) {
    let place = behaviour.place
    if place < 64 { low |= 1 << place } else { high |= 1 << (place - 64) }
  }
}

extension StreamSettings {
  /// The same for a player that lacks some behaviours.
  func without(_ missing: BehaviourSet) -> StreamSettings {
    if missing.isEmpty { return self }
    var settings = self
    if missing.contains(.keyPreloading) { settings.preloadsKeys = false }
    if missing.contains(.adaptation) { settings.adaptation = .fixed }
    if missing.contains(.previousObservation) {
      settings.observedBitRate = nil
      if case .optimised(var start) = initialRule {
        start.observedBitRate = nil
        settings.initialRule = .optimised(start)
      }
    }
    settings.constraints = constraints.without(missing)
    settings.live = live?.without(missing)
    return settings
  }
}

extension LiveStream {
  /// What a player makes of it that lacks some behaviours.
  func without(_ missing: BehaviourSet) -> LiveStream {
    var stream = self
    if missing.contains(.liveHoldBack) {
      stream.holdBack = .zero
      stream.parts?.holdBack = .zero
    }
    if missing.contains(.partialSegments) { stream.parts = nil }
    if missing.contains(.blockingReload) { stream.parts?.blocksReload = false }
    if missing.contains(.preloadHints) { stream.parts?.hints = false }
    return stream
  }
}

extension VariantConstraints {
  /// The same for a player that lacks some behaviours.
  func without(_ missing: BehaviourSet) -> VariantConstraints {
    if missing.isEmpty { return self }
    var constraints = self
    if missing.contains(.layerSize) { constraints.layerPixels = nil }
    if missing.contains(.expensiveNetworkLimits) { constraints.isNetworkExpensive = false }
    if missing.contains(.deviceSupport) {
      constraints.unsupportedCodecs = []
      constraints.videoRanges = VideoRange.allCases
    }
    if missing.contains(.peakBitRateLimit) {
      constraints.preferredPeakBitRate = 0
      constraints.preferredPeakBitRateForExpensiveNetworks = 0
    }
    return constraints
  }
}
