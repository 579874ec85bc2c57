import Foundation

/// A short digest of long results: equal texts have equal digests, on every machine.
///
/// It is FNV-1a and not the engine's own: a change there must not change a digest.
package struct Fingerprint {
  private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  /// The digest of one text.
  package static func text(of text: String) -> String {
    var print = Fingerprint()
    print.add(text)
    return print.text
  }

  /// Adds a text, and where it ends.
  package mutating func add(_ text: some Sequence<UInt8>) {
    for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash = (hash ^ 0x100) &* 0x100_0000_01b3
  }

  package mutating func add(_ text: String) { add(text.utf8) }

  package var text: String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// A file of fingerprints, a line for each seed, that results are held to.
///
/// `UPDATE_GOLDENS=1 swift test` records it anew; such a run fails, so that the changed lines are
/// reviewed: `goldilocks` before and after the change says in which words a seed differs.
package struct FingerprintFile: Sendable {
  package static let isRecording =
    ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil

  private let path: String
  /// The number of seeds in the file.
  private let whole: Int

  package init(_ path: String, seeds whole: Int) {
    (self.path, self.whole) = (path, whole)
  }

  /// The lines of the first seeds; in a release build, and to record them, of all.
  ///
  /// As many are under way as there are processors: other tests are not to wait for all of them.
  package func lines(
    few: Int, _ line: @escaping @Sendable (Int) -> String
  ) async -> [String] {
    let seeds = 0..<(Self.isRecording ? whole : min(whole, Seeds.count(few, inRelease: whole)))
    return await withTaskGroup(of: (Int, String).self) { group in
      var ahead = seeds.makeIterator()
      func beginNext() {
        guard let seed = ahead.next() else { return }
        group.addTask { (seed, "\(seed) " + line(seed)) }
      }
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { beginNext() }
      var lines = seeds.map { "\($0)" }
      while let (seed, line) = await group.next() {
        lines[seed] = line
        beginNext()
      }
      return lines
    }
  }

  /// The lines that are others than those in the file, with both.
  package func differences(from lines: [String]) throws -> [String] {
    let file = Checkout.at(path)
    if Self.isRecording {
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
      return ["recorded; review the diff"]
    }
    let kept = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    return lines.indices.filter { $0 >= kept.count || lines[$0] != kept[$0] }.map {
      "\(lines[$0]) and not \($0 < kept.count ? kept[$0] : "there")"
    }
  }
}
