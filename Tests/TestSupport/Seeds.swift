import Foundation

/// How many seeds a test of random cases tries.
///
/// A debug build is some thirty times slower than a release build, so it tries a few and leaves
/// the rest to the release build, which CI tests as well. `GOLDILOCKS_SEEDS=10000 swift test -c
/// release` asks for more of every such test.
package enum Seeds {
  private static let wanted =
    ProcessInfo.processInfo.environment["GOLDILOCKS_SEEDS"].flatMap { Int($0) } ?? 0

  /// Whether there are enough of them for a statement about their shares.
  package static var areMany: Bool { count(1, inRelease: 2) > 1 }

  /// How closely the link of a case is followed: by bytes and by packets in a release build. In a
  /// debug build, in which packets take long, one case in four is followed by packets.
  package static func fidelities(ofCase number: Int64) -> [String] {
    fidelities(whereSmall: number % 4 == 0)
  }

  /// The same, where the cases that a debug build follows by packets are those of few packets.
  package static func fidelities(whereSmall isSmall: Bool) -> [String] {
    areMany || isSmall ? ["fluid", "tcp"] : ["fluid"]
  }

  /// The cases of a test: all of them in a release build; in a debug build a few, from the first to
  /// the last.
  package static func cases<Case>(of all: some Collection<Case>, few: Int = 2) -> [Case] {
    if areMany || all.count <= few { return Array(all) }
    return (0..<few).map { number in
      all[all.index(all.startIndex, offsetBy: number * (all.count - 1) / max(1, few - 1))]
    }
  }

  /// The cases that two lists make together, in the same way.
  package static func pairs<First, Second>(
    of first: some Collection<First>, and second: some Collection<Second>
  ) -> [(First, Second)] {
    cases(of: first.flatMap { one in second.map { (one, $0) } })
  }

  package static func count(_ few: Int, inRelease many: Int) -> Int {
    #if DEBUG
      max(few, wanted)
    #else
      max(many, wanted)
    #endif
  }

  package static func first(_ few: Int, inRelease many: Int) -> Range<UInt64> {
    0..<UInt64(count(few, inRelease: many))
  }
}
