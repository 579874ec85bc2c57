import ExactText
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing

@Suite struct NearestWordTests {
  private let words = ["seed", "script", "scenario", "link", "media", "expect"]

  @Test(arguments: [
    ("sede", "seed"), ("scirpt", "script"), ("scenarioo", "scenario"), ("Media", "media"),
    ("MEDAI", "media"), ("lnk", "link"), ("expects", "expect"), ("player", nil), ("s", nil),
    ("", nil), ("xxxx", nil),
  ])
  func `a slip of the hand leads to the word that was meant`(word: String, nearest: String?) {
    #expect(nearestWord(to: word, among: words) == nearest)
  }

  @Test func `of words equally near the first wins, and a nearer one before it`() {
    #expect(nearestWord(to: "cart", among: ["card", "care"]) == "card")
    #expect(nearestWord(to: "cart", among: ["card", "cart"]) == "cart")
    #expect(nearestWord(to: "cart", among: []) == nil)
    // Two letters exchanged are one slip, as a wrong letter is.
    #expect(nearestWord(to: "cart", among: ["card", "crat"]) == "card")
    #expect(nearestWord(to: "cart", among: ["crat", "card"]) == "crat")
    #expect(nearestWord(to: "scenario", among: ["csneario"]) == "csneario")
    #expect(nearestWord(to: "scenario", among: ["csneraoi"]) == nil)
  }

  @Test(
    arguments: [
      ("mpv", "mpv 0.35"), ("VLC", "VLC 3.0"), ("vcl", "VLC 3.0"), ("HLS.js", "hls.js 1.6"),
      ("hls.js 1.5", "hls.js 1.6"), ("GStreamer", "GStreamer 1.22 playbin"),
      ("gstreamer 1.22", "GStreamer 1.22 playbin"), ("Netscape", nil), ("", nil), ("0.35", nil),
    ] as [(String, String?)])
  func `a name is found without its last words`(name: String, meant: String?) {
    let names = ["mpv 0.35", "mpv 0.35 initial", "VLC 3.0", "hls.js 1.6", "GStreamer 1.22 playbin"]
    #expect(nearestName(to: name, among: names) == meant)
  }

  @Test func `of six words all are named, and of seven the three nearest`() {
    let seven = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"]
    #expect(
      alternatives(to: "zetta", among: Array(seven.prefix(6)))
        == "“alpha”, “beta”, “gamma”, “delta”, “epsilon” or “zeta”")
    #expect(
      alternatives(to: "zetta", among: seven) == "“zeta”, “beta”, “delta” or one of 4 others")
    #expect(nearestWords(to: "ZETTA", among: seven, count: 2) == ["zeta", "beta"])
    let endless = String(repeating: "s", count: 65)
    #expect(nearestWords(to: endless, among: seven, count: 2) == ["alpha", "beta"])
    // A word of 64 letters is looked at, and a longer one is not.
    for count in [63, 64, 65] {
      let word = String(repeating: "s", count: count)
      let near = String(word.dropLast()) + "t"
      #expect(
        nearestWords(to: word, among: ["alpha", near], count: 1) == [count > 64 ? "alpha" : near])
    }
  }

  @Test func `a word without end costs nothing`() {
    let endless = String(repeating: "s", count: 1_000_000)
    #expect(nearestWord(to: endless, among: words + [endless]) == nil)
  }

  /// The slips between two words, each way to make one of the other tried.
  private static func slips(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Int {
    guard let x = a.first, let y = b.first else { return max(a.count, b.count) }
    var least = slips(a.dropFirst(), b.dropFirst()) + (x == y ? 0 : 1)
    if least == 0 { return 0 }
    least = min(least, slips(a.dropFirst(), b) + 1, slips(a, b.dropFirst()) + 1)
    if a.count > 1, b.count > 1, a[a.startIndex + 1] == y, b[b.startIndex + 1] == x {
      least = min(least, slips(a.dropFirst(2), b.dropFirst(2)) + 1)
    }
    return least
  }

  private static func nearest(to word: String, among candidates: [String]) -> String? {
    var found: (word: String, slips: Int)?
    for candidate in candidates where !word.isEmpty {
      let most = min(3, max(word.count, candidate.count) / 3)
      if abs(word.count - candidate.count) > most { continue }
      let slips = slips(Array(word.lowercased().utf8)[...], Array(candidate.lowercased().utf8)[...])
      if slips <= most, slips < found?.slips ?? 99 { found = (candidate, slips) }
    }
    return found?.word
  }

  /// Words of few letters, so that many are near each other.
  private static func word(_ draw: inout Draw, _ letters: ClosedRange<Int>) -> String {
    (0..<draw.within(letters)).map { _ in draw.one(of: ["a", "b", "A", "c"]) }.joined()
  }

  @Test(arguments: Seeds.first(40, inRelease: 600))
  func `of made-up words the nearest is found by trying everything`(seed: UInt64) {
    var draw = Draw(seed: seed, part: "words")
    let names = (0..<4).map { _ in
      (0..<draw.within(1...3)).map { _ in Self.word(&draw, 0...3) }.joined(separator: " ")
    }
    let words = (0..<4).map { _ in Self.word(&draw, 0...5) }
    for _ in 0..<6 {
      let given = Self.word(&draw, 0...5)
      #expect(nearestWord(to: given, among: words) == Self.nearest(to: given, among: words))
      let begins = names.first { name in
        let parts = name.split(separator: " ", omittingEmptySubsequences: false)
        let shorter = parts.indices.dropFirst().map { parts[..<$0].joined(separator: " ") }
        return Self.nearest(to: given, among: shorter) != nil
      }
      #expect(
        nearestName(to: given, among: names) == Self.nearest(to: given, among: names) ?? begins)
    }
  }
}
