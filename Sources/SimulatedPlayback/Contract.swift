/// What the SDK that an app is linked against promises.
///
/// "For apps linked on or after iOS 10, macOS Sierra, tvOS 10" (WWDC16 503): the running system
/// alone decides nothing.
public struct Contract: Hashable, Sendable {
  /// The iOS version whose promises hold, as major × 100 + minor.
  public let version: Int32

  public init(major: Int32, minor: Int32 = 0) {
    version = major * 100 + minor
  }

  /// The promises of today.
  public static let current = Contract(major: 18)

  /// The last contract under which progressive files do not wait.
  public static let legacy = Contract(major: 9, minor: 3)

  /// Whether `automaticallyWaitsToMinimizeStalling` is true unless the app sets it.
  public var waitsByDefault: Bool { version >= 1000 }

  /// Whether `play()` asks for `defaultRate`; before, it is the same as setting the rate to 1.
  public var playUsesDefaultRate: Bool { version >= 1600 }

  /// Whether a player waits with a kind of media when its property says `waits`.
  ///
  /// Before iOS 10 "for streaming content, including HLS … as if YES; for file-based content,
  /// including progressive download, … as if NO", whatever the property says.
  public func waits(for kind: MediaKind, property waits: Bool) -> Bool {
    if version >= 1000 { return waits }
    switch kind {
    case .local, .progressive: return false
    }
  }
}

/// How a piece of media reaches the player.
public enum MediaKind: Hashable, Sendable, CaseIterable {
  /// A file that is wholly there.
  case local
  /// A file that is downloaded while it plays.
  case progressive
}
