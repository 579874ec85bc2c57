public import Autowait
public import PlayerPolicies
public import LinkConditioner
public import StreamingMedia
public import VirtualTime

/// Something that became different in a player, in the order in which it did.
public enum PlaybackObservation: Hashable, Sendable {
  case currentItem(isPresent: Bool)
  case itemReady
  case itemFailed(PlaybackFailure)
  /// The reason where it was not the app that set it.
  case rate(PlaybackRate, previous: PlaybackRate, RateChangeReason?)
  /// The status or the reason, the row of the table that brought it, and, where that row goes by
  /// what the policy says of the buffer, the policy's clause.
  case timeControl(TimeControl, TransitionRule, ReadinessClause?)
  /// Timebase rate, and playhead position, which an external timeline holds until its host time.
  case timebase(PlaybackRate, from: MediaTime, at: Instant? = nil)
  /// The estimate of the throughput is in bits per second, here and below; nil where unknown.
  case likelyToKeepUp(Bool, ReadinessClause, loadedEnd: MediaTime, estimate: Int64?)
  /// While a player waits, the time by which the worst byte would be late if it played now: told
  /// where that differs from what was told before, less the time that has passed.
  case forecast(late: TimeSpan, estimate: Int64?)
  case bufferEmpty(Bool)
  case bufferFull(Bool)
  case waitsAutomatically(Bool)
  case stalled(MediaTime, StallClause)
  case timeJumped(MediaTime)
  case playedToEnd(MediaTime)
  case failedToPlayToEnd(PlaybackFailure)
  case seek(to: MediaTime)
  case seekCompleted(to: MediaTime, finished: Bool, inBuffer: Bool)
  /// A part of a file is asked for; what the answer to another request let begin names that.
  case requestStarted(TransferID, firstByte: Int64, RequestOrigin = RequestOrigin())
  case requestResponded(TransferID)
  case requestCompleted(TransferID, bytes: Int64)
  case requestCancelled(TransferID, bytes: Int64)
  /// It broke behind so many bytes; when it will be tried again, nil for never.
  case requestFailed(TransferID, TransferFailure, bytes: Int64, retriedAt: Instant?)
  /// Reading is suspended, or goes on, and which clause of the fetch rule says so.
  case readingSuspended(Bool, FetchClause)
  case resourceRequested(TransferID, ResourceKind, bytes: Int64, RequestOrigin = RequestOrigin())
  case variantChosen(InitialVariant)
  case variantSwitchStarted(from: Int32, to: Int32, SwitchReason, estimate: Int64?)
  /// No higher variant than the present one is taken, for another reason than before.
  case variantKept(Int32, VariantClause, estimate: Int64?)
  /// The first segment of another variant is in the buffer.
  case variantSwitched(from: Int32, to: Int32)
  case segmentAbandoned(TransferID, bytes: Int64, of: Int64, AbandonClause)
  case itemTransition(ItemTransition)
  /// A track had nothing to show or to sound between two times, while another one played on.
  case emptyTrack(MediaTrack.Kind, from: MediaTime, to: MediaTime)
  /// Another language is played, or none, and that much loaded media of the old one is thrown away.
  case mediaSelected(MediaSelection, discarded: MediaTime)
  case live(LiveObservation)
  case pictureColour(PictureColour)
  /// The notification of a new entry in the error log.
  case errorLogged(ErrorLogEvent)
  /// A preroll that the app asked for is over.
  case prerolled(finished: Bool)
  /// Work on the pipeline that takes time, and when it will be done.
  case pipeline(PipelineWork, until: Instant)
}

/// The reason that `AVPlayer.rateDidChangeNotification` gives for a rate the app did not set.
public enum RateChangeReason: String, Hashable, Sendable, CaseIterable {
  case setRateFailed
  case audioSessionInterrupted
  case appBackgrounded
  case playheadReachedLiveEdge

  /// The notification's reason for a rule of the machine; nil where the app set the rate.
  init?(_ rule: TransitionRule?) {
    switch rule {
    case .interruptionPauses: self = .audioSessionInterrupted
    case .backgroundPauses: self = .appBackgrounded
    case .liveEdgeSlows: self = .playheadReachedLiveEdge
    case _: return nil
    }
  }
}

/// The kind of resource that a request of a stream is for.
public enum ResourceKind: String, Hashable, Sendable, CaseIterable {
  case multivariantPlaylist
  case mediaPlaylist
  case contentKey
  case mapSegment
  case mediaSegment
}

/// The reason why an item cannot be played to its end.
public enum PlaybackFailure: Error, Hashable {
  /// The file could not be loaded.
  case mediaUnavailable(TransferFailure)
  /// No variant of the stream can be played here.
  case noPlayableVariant
}

/// An observation with its place in the run.
public struct PlaybackRecord: Hashable, Sendable {
  /// The instant of the change.
  public var instant: Instant
  /// The number of the player, in the order in which the world made them.
  public var player: Int32
  /// The number of the item that it speaks of; nil where there is none.
  public var item: Int32?
  public var observation: PlaybackObservation
}

/// Of whom a record speaks: a player, and the number of one of its items.
struct Subject: Hashable {
  var player: Int32
  /// Nil while there is none.
  var item: Int32?
}

/// The observations of a run that nobody has looked at yet.
package struct PlaybackLog: Sendable {
  package var records: [PlaybackRecord] = []
  /// Off when nobody observes: then recording costs one branch.
  package var isEnabled: Bool
  /// Whether requests of streams are recorded with their URIs, which take longest to make.
  package var keepsURIs = true

  package init(isEnabled: Bool = true) { self.isEnabled = isEnabled }

  mutating func note(
    _ observation: @autoclosure () -> PlaybackObservation, of subject: Subject, at now: Instant
  ) {
    if !isEnabled { return }
    records.append(
      PlaybackRecord(
        instant: now, player: subject.player, item: subject.item, observation: observation()))
  }
}
