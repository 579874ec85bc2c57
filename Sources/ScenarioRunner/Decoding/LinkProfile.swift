import LinkConditioner
import StreamingMedia
import VirtualTime

/// A link that a scenario can name.
struct LinkProfile {
  let name: String
  let kind: Kind

  enum Kind {
    case fixed(LinkConditions)
    /// A downlink with this share of the media's average bit rate.
    case relative(Ratio)
  }

  /// What the link is like; nil where it is relative to media that is not known.
  func conditions(for file: MediaFile?) -> LinkConditions? {
    switch kind {
    case .fixed(let conditions): conditions
    case .relative(let share):
      file.map {
        LinkConditions(
          downlink: DirectionConditions(bandwidth: .limited(bandwidth(share, of: $0))))
      }
    }
  }

  static let all = [
    LinkProfile(name: "Slow Server", kind: .relative(Ratio(858, over: 1_000))),
    LinkProfile("3G", kilobits: (780, 330), delay: (100, 100)),
    LinkProfile("DSL", kilobits: (2_000, 256), delay: (5, 5)),
    LinkProfile("Edge", kilobits: (240, 200), delay: (400, 440)),
    LinkProfile("LTE", kilobits: (50_000, 10_000), delay: (50, 65)),
    LinkProfile("Wi-Fi", kilobits: (40_000, 33_000), delay: (1, 1)),
  ]

  private init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  private init(
    _ name: String, kilobits: (down: Int64, up: Int64), delay: (down: Int64, up: Int64)
  ) {
    func direction(_ kilobits: Int64, _ delay: Int64) -> DirectionConditions {
      DirectionConditions(
        bandwidth: .limited(.kilobitsPerSecond(kilobits)), delay: .milliseconds(delay))
    }
    self.name = name
    kind = .fixed(
      LinkConditions(
        downlink: direction(kilobits.down, delay.down), uplink: direction(kilobits.up, delay.up)))
  }
}

/// The names of the profiles that a scenario can name.
package var profileNames: [String] { LinkProfile.all.map { $0.name } }
