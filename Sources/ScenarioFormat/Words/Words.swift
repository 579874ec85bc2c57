package import Autowait
import ExactText
package import LinkConditioner
import PlayerPolicies
package import SimulatedPlayback
package import SimulatedWorld
import StreamingMedia

// The words for our enums in traces, summaries and on screens: the raw values of those that are
// words alone, and what is said of the others. To rename a case is to change traces.

extension RawRepresentable where RawValue == String {
  /// As scenarios, traces and summaries have it.
  package var word: String { rawValue }
}

extension TimeControl {
  static let words = ["paused", "waiting", "playing"]

  package var word: String {
    switch self {
    case .paused: "paused"
    case .waiting, .awaitingMedia: "waiting"
    case .playing: "playing"
    }
  }
}

extension TransitionRule {
  /// The assumption of ours that a rule rests on, where nobody documents what a player does.
  package var assumption: String? {
    if self == .emptyStaysPaused {
      return "without automatic waiting a play with an empty buffer is dropped once media was there"
    }
    if self == .seekPauses {
      return "without automatic waiting a seek out of the buffer pauses, as a stall does"
    }
    return nil
  }
}

extension ItemTransition.Reason {
  package var words: String {
    switch self {
    case .encoderPadding: "the frames that the encoder added are heard"
    case .streamsApart: "streams do not follow each other without one under this contract"
    case .fairPlay: "one of the two is protected by FairPlay, so that it needs its own pipeline"
    case .audioCodec: "the audio codec differs, so that it needs its own pipeline"
    case .channels: "the audio channels differ, so that it needs its own pipeline"
    case .sampleRate: "the audio sample rate differs, so that it needs its own pipeline"
    case .bitDepth: "the audio bit depth differs, so that it needs its own pipeline"
    case .otherSound: "no variant has the same audio, so that it needs its own pipeline"
    case .goesBack: "it goes back only when the end has been reached"
    case .notLoaded: "its media was not there"
    case .pausedAtEnd: "the player paused at the end"
    case .notPrepared: "it came too late to be prepared"
    }
  }
}

extension WaitingReason {
  /// As the demo's screen has it.
  package var title: String {
    switch self {
    case .toMinimizeStalls: "Minimizing Stalls"
    case .evaluatingBufferingRate: "Evaluating Buffering Rate"
    case .noItemToPlay: "No Item To Play"
    case .interstitialEvent: "Interstitial Event"
    case .waitingForCoordinatedPlayback: "Waiting for Coordinated Playback"
    }
  }
}

extension PlaybackFailure {
  package init(words: String) {
    let start = PlaybackFailure.mediaUnavailable(.timedOut).words.utf8.count
    let none = PlaybackFailure.noPlayableVariant
    let reason = words.utf8.dropFirst(start - TransferFailure.timedOut.words.utf8.count)
    self =
      isSameText(words, none.words)
      ? none : .mediaUnavailable(TransferFailure(words: String(decoding: reason, as: UTF8.self)))
  }

  package var words: String {
    switch self {
    case .mediaUnavailable(let reason): "the media could not be loaded: \(reason.words)"
    case .noPlayableVariant: "no variant of the stream can be played here"
    }
  }
}

extension TransferFailure {
  /// The failure that is told in these words; a response of a status where there is none such.
  package init(words: String) {
    let others: [Self] = [.impossibleSize, .tooManyTransfers, .connectionReset, .timedOut]
    let digits = words.utf8.filter { UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") }
    let status = Int32(String(decoding: digits, as: UTF8.self)) ?? 0
    self = others.first { isSameText($0.words, words) } ?? .httpStatus(status)
  }

  package var words: String {
    switch self {
    case .impossibleSize: "a response of an impossible size"
    case .tooManyTransfers: "too many transfers at a time"
    case .httpStatus(let code): "HTTP \(code)"
    case .connectionReset: "the connection was reset"
    case .timedOut: "the request timed out"
    }
  }
}

extension PlayerError {
  package var words: String {
    switch self {
    case .waitsAutomatically:
      "setRate(_:time:atHostTime:) needs automaticallyWaitsToMinimizeStalling to be false"
    case .needsItem: "setRate(_:time:atHostTime:) needs a current item"
    case .negativeTime: "a seek goes to a time that is not negative"
    case .advanceNeedsQueue: "only a queue can advance at the end of an item"
    case .prerollNeedsPause: "a player prerolls while its rate is zero"
    case .unknownToSDK: "the SDK that the app is linked against does not have it"
    case .needsQueue: "only a player with a queue takes this"
    case .alreadyEnqueued: "the item stands in the queue already"
    case .notEnqueued: "the item to insert behind is not in the queue"
    case .belongsToAnotherPlayer: "the item belongs to another player"
    }
  }
}

extension LooperError {
  package var words: String {
    switch self {
    case .emptyMedia: "a looper needs media that lasts"
    case .emptyRange: "a looper needs a range that is not empty"
    case .rangeOutsideMedia: "a looper's range lies within the media"
    case .tooFewReplicas: "a looper makes at least three copies"
    }
  }
}

extension SwitchReason {
  static let all: [SwitchReason] =
    VariantClause.allCases.map { .chosen($0) } + AbandonClause.allCases.map { .abandoned($0) }
    + VariantTrouble.allCases.map { .trouble($0) }

  package init?(word: String) {
    guard let reason = Self.all.first(where: { isSameText($0.word, word) }) else { return nil }
    self = reason
  }

  package var word: String {
    switch self {
    case .chosen(let clause): clause.word
    case .abandoned(let clause): clause.word
    case .trouble(let trouble): trouble.word
    }
  }
}

extension ItemStatus {
  static let words = ["unknown", "readyToPlay", "failed"]

  package var word: String {
    switch self {
    case .unknown: "unknown"
    case .readyToPlay: "readyToPlay"
    case .failed: "failed"
    }
  }
}

extension LiveMoveReason {
  static let words = LiveStartReason.allCases.map { $0.word } + ["windowSlid", "preservesOffset"]

  package var word: String {
    switch self {
    case .begins(let reason): reason.word
    case .windowSlid: "windowSlid"
    case .preservesOffset: "preservesOffset"
    }
  }
}
