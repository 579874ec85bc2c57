/// The promises of the SDK that an app is linked against.
///
/// "For apps linked on or after iOS 10, macOS Sierra, tvOS 10" (WWDC16 503): the running system
/// alone decides nothing.
public struct Contract: Hashable, Sendable {
  /// The iOS version whose promises hold, as major × 100 + minor.
  package let version: Int32

  public init(major: Int32, minor: Int32 = 0) { version = major * 100 + minor }

  /// The promises of today.
  public static let current = Contract(major: 18)

  /// The last contract under which progressive files do not wait.
  public static let legacy = Contract(major: 9, minor: 3)

  /// Whether `automaticallyWaitsToMinimizeStalling` is true unless the app sets it.
  package var waitsByDefault: Bool { version >= 1000 }

  /// Whether `play()` asks for `defaultRate`; before, it is the same as setting the rate to 1.
  package var playUsesDefaultRate: Bool { version >= 1600 }

  // "Transition media gaplessly with HLS" (WWDC21 10142) is of 2021.
  /// Whether a queue plays streams one after the other without a gap.
  package var playsStreamsGaplessly: Bool { version >= 1500 }

  // canUseNetworkResourcesForLiveStreamingWhilePaused: NO "for apps linked on or after iOS 9".
  /// Whether a live stream is kept up with while it is paused, unless the app says otherwise.
  package var usesNetworkWhilePaused: Bool { version < 900 }

  // AVPlayer.WaitingReason: interstitialEvent and waitingForCoordinatedPlayback from iOS 15 on.
  /// Whether a player can be held up by interstitials and by other participants.
  package var knowsSuspensions: Bool { version >= 1500 }

  // AVPlayer.RateDidChangeReason.playheadReachedLiveEdge came with iOS 26.4.
  /// Whether the app hears that the rate went back to 1 at the live edge.
  package var tellsLiveEdge: Bool { version >= 2604 }

  // "Some more smoothness" (WWDC16 503): layers, languages and tracks from iOS 10 on.
  /// Whether playback goes on while the tracks that are played change.
  package var changesTracksSmoothly: Bool { version >= 1000 }

  // Apple, AVPlayerItem.startsOnFirstEligibleVariant: before iOS 13 it was the first eligible one.
  /// Whether a stream begins with the variant that "optimizes the startup experience".
  package var optimisesInitialVariant: Bool { version >= 1300 }

  /// Whether a player waits with a kind of media when its property says `waits`.
  ///
  /// Before iOS 10 "for streaming content, including HLS … as if YES; for file-based content,
  /// including progressive download, … as if NO", whatever the property says.
  package func waits(for kind: MediaKind, property waits: Bool) -> Bool {
    version >= 1000 ? waits : kind == .stream
  }
}

/// The layer between an app and the player: the app's own controls, or a framework.
public enum PlayerClient: Hashable, Sendable, CaseIterable {
  /// The app's own controls.
  case avFoundation
  case avKit
  case mediaPlayer

  /// "Already supports automatic waiting for buffering" (WWDC16 503), whatever the linked SDK.
  package var waitsAlways: Bool { self != .avFoundation }
}

/// The delivery of a piece of media to the player.
public enum MediaKind: Hashable, Sendable, CaseIterable {
  /// A file that is wholly there.
  case local
  /// A file that is downloaded while it plays.
  case progressive
  /// HTTP Live Streaming.
  case stream
}

extension Contract {
  /// The contract of an SDK: "iOS 9.3", "macOS 10.12", "visionOS 2"; nil for what is none.
  ///
  /// "For apps linked on or after iOS 10, macOS Sierra, tvOS 10" (WWDC16 503): a Mac SDK promises
  /// what the one of iOS does that came out with it. Its own minor versions change nothing here.
  public init?(linkedSDK text: String) {
    let words = text.utf8.split(separator: UInt8(ascii: " "))
    guard let version = words.last else { return nil }
    let numbers = version.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map { naturalNumber($0) }
    guard numbers.count <= 2, let major = numbers[0],
      let minor = numbers.count == 1 ? 0 : numbers[1]
    else { return nil }
    var platform: [UInt8] = []
    for word in words.dropLast() { platform += (platform.isEmpty ? [] : [0x20]) + word }
    let likeIOS = ["iOS", "tvOS", "iPadOS", "macCatalyst", "Mac Catalyst", "Catalyst"]
    let isLikeIOS = likeIOS.contains { platform.elementsEqual($0.utf8) }
    let released: Int32? =
      if isLikeIOS {
        major
      } else if platform.elementsEqual("macOS".utf8) {
        // 10.12 came out with iOS 10, and 11 with 14.
        switch major {
        case 10: (7...15).contains(minor) ? minor - 2 : nil
        case 11...15: major + 3
        default: major >= 26 ? major : nil
        }
      } else if platform.elementsEqual("watchOS".utf8), (2...11).contains(major) || major >= 26 {
        // watchOS 2 came out with iOS 9.
        major < 26 ? major + 7 : major
      } else if platform.elementsEqual("visionOS".utf8), (1...2).contains(major) || major >= 26 {
        // visionOS 1 came out with iOS 17.
        major < 26 ? major + 16 : major
      } else {
        nil
      }
    // The version numbers jumped from 18 to the year 26; there is none beyond the next year's.
    guard let released, (4...18).contains(released) || (26...27).contains(released) else {
      return nil
    }
    self.init(major: released, minor: isLikeIOS ? minor : 0)
  }
}

private func naturalNumber(_ digits: Substring.UTF8View) -> Int32? {
  guard (1...2).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
    return nil
  }
  return Int32(Substring(digits))
}
