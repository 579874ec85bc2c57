import ExactText
import ScenarioFormat
import ScenarioRunner
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
}
