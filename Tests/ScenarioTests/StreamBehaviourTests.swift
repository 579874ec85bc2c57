import ScenarioRunner
import Testing

/// What a scenario of a stream shows is what makes it come true: taken away, it fails.
@Suite struct StreamBehaviourTests {
  /// A scenario without the behaviour that it shows.
  struct Removal: Sendable, CustomTestStringConvertible {
    var scenario: String
    var text: String
    var replacement: String

    init(_ scenario: String, _ text: String, _ replacement: String) {
      self.scenario = "hls-" + scenario + ".json"
      self.text = text
      self.replacement = replacement
    }

    var testDescription: String { "\(scenario): \(text) → \(replacement)" }
  }

  static let fixed = #", "adaptation": "fixed""#

  static let removals = [
    // V11: one segment, and only where the link sustains it.
    Removal("talk-rung-110", #""first": 0"#, #""first": 1"#),
    Removal("talk-rung-400", #""bandwidth": "2 Mbit/s""#, #""bandwidth": "1.99 Mbit/s""#),
    Removal(
      "talk-rung-600", #""duration": "100 s""#, #""duration": "100 s", "segmentDuration": "6 s""#),
    Removal("talk-rung-1800", #""player": {"#, #""player": { "heuristic": "everythingLoaded","#),
    Removal("talk-rung-4500", #""player": {"#, #""player": { "heuristic": "immediate","#),
    Removal("talk-rung-4500", fixed, ""),
    // V16
    Removal(
      "unsustained-rung-goes-down", #""player": {"#, #""player": { "adaptation": "fixed","#),
    // H1
    Removal("startup-stages", #", "delay": "100 ms""#, ""),
    Removal("startup-stages", #""bitrate": "64 kbit/s""#, #""bitrate": "640 kbit/s""#),
    // H2
    Removal("round-trips-decide", #", "delay": "500 ms""#, ""),
    Removal("segment-decides", #""400 kbit/s""#, #""4 Mbit/s""#),
    // H3, H4, H7
    Removal("title-card-loads-values", #"{ "at": "0 s", "do": "loadValues" },"#, ""),
    Removal("title-card-loads-values", #""preloadsKeys": true"#, #""preloadsKeys": false"#),
    Removal(
      "lazy-asset", #""script": ["#, #""script": [ { "at": "0 s", "do": "loadValues" },"#),
    // H8
    Removal(
      "title-card-preloads-segments",
      #""do": "setPreferredForwardBufferDuration", "to": "0 s""#,
      #""do": "setPreferredForwardBufferDuration", "to": "5 s""#),
    Removal(
      "title-card-forgets-the-reset", #", "outages": [ { "from": "20 s", "for": "12 s" } ]"#, ""),
    // H9
    Removal("start-time-set-early", #", "startTime": "30 s""#, ""),
    Removal("start-time-set-late", #""at": "2 s", "do": "seek""#, #""at": "0 s", "do": "seek""#),
    Removal(
      "language-selected-early", #", "audioLanguage": "fr""#,
      #", "audioLanguage": "fr", "startTime": "30 s""#),
    Removal(
      "language-selected-late", #""at": "4.5 s", "do": "selectAudio""#,
      #""at": "0 s", "do": "selectAudio""#),
    // H5
    Removal("playlists-gzip", #", "gzip": "15 %""#, ""),
    Removal("playlists-plain", #""duration": "2 h""#, #""duration": "2 h", "gzip": "15 %""#),
    // H6
    Removal("key-announced-preloaded", #""preloadsKeys": true"#, #""preloadsKeys": false"#),
    Removal("key-announced-preloaded", #""announced": true"#, #""announced": false"#),
    Removal("key-announced-on-demand", #""preloadsKeys": false"#, #""preloadsKeys": true"#),
    Removal("key-unannounced-preloaded", #""announced": false"#, #""announced": true"#),
    Removal("key-unannounced-on-demand", #""thinkTime": "1 s""#, #""thinkTime": "0 s""#),
    // V3, V4, V7
    Removal("layer-caps-the-picture", #""layer": { "size": "568x320", "scale": 2 }, "#, ""),
    Removal("layer-without-scale", #""size": "568x320""#, #""size": "568x320", "scale": 2"#),
    Removal("layer-shrinks", #"{ "size": "400x225", "scale": 1 }"#, "null"),
    // V2, V5, V6
    Removal("large-screen", #""size": "1920x1080""#, #""size": "960x540""#),
    Removal("slow-network", #""200 kbit/s", "delay""#, #""20 Mbit/s", "delay""#),
    Removal(
      "layer-connected-late", #""observedBitrate""#,
      #""layer": { "size": "568x320", "scale": 2 }, "observedBitrate""#),
    // V8
    Removal(
      "first-choice-on-a-fast-link", #""script""#,
      #""player": { "observedBitrate": "40 Mbit/s" }, "script""#),
    Removal(
      "first-choice-on-a-slow-link", #""script""#,
      #""player": { "observedBitrate": "700 kbit/s" }, "script""#),
    // V10
    Removal("quality-or-time-600", #""first": 2"#, #""first": 4"#),
    Removal("quality-or-time-4500", #""first": 4"#, #""first": 2"#),
    // V13
    Removal("least-acceptable-start", #", "lastBitrate": "3 Mbit/s""#, ""),
    Removal("least-acceptable-on-a-slow-link", #""1280x720""#, #""640x360""#),
    // The unit of the slide's 2000
    Removal("peak-bit-rate-taken-literally", #""2000 bit/s""#, #""2000 kbit/s""#),
    // What the device supports, and paths that cost
    Removal("codecs-of-the-device", #""h264", "aac""#, #""h264", "hevc", "aac""#),
    Removal("ranges-of-the-display", #""SDR" ]"#, #""SDR", "PQ" ]"#),
    Removal(
      "expensive-network", #", "preferredPeakBitRateForExpensiveNetworks": "1000 kbit/s""#, ""),
    Removal("expensive-from-the-start", #", "expensive": true"#, ""),
    // T4, and the kinds of renditions
    Removal("language-change-in-time", #""8 Mbit/s""#, #""1500 kbit/s""#),
    Removal("language-change-too-late", #""40 kbit/s""#, #""4 Mbit/s""#),
    Removal(
      "subtitles-beside", #""do": "selectSubtitles", "to": "es""#,
      #""do": "selectSubtitles", "to": null"#),
    Removal(
      "muxed-audio", #""duration": "60 s""#,
      #""duration": "60 s", "audio": [ { "name": "English", "bitrate": "128 kbit/s" } ]"#),
    Removal("audio-only-variant", #"{ "bitrate": "64 kbit/s", "codecs": [ "mp4a.40.2" ] }, "#, ""),
    // The brief evaluation
    Removal("evaluating-then-playing", #", "evaluationPeriod": "500 ms""#, ""),
    Removal("evaluating-then-minimizing", #", "evaluationPeriod": "500 ms""#, ""),
    // E4
    Removal("goes-down-before-it-stalls", #""player": {"#, #""player": { "adaptation": "fixed","#),
    // V9 and what came after it
    Removal("first-applicable-then-up", "iOS 12", "iOS 13"),
    Removal(
      "first-applicable-then-up", #""player": {"#, #""player": { "adaptation": "fixed","#),
    Removal(
      "assumed-bitrate-start", #""script""#, #""player": { "linkedSDK": "iOS 12" }, "script""#),
    // V12
    Removal("previous-observed-bitrate", #""observedBitrate": "8 Mbit/s" },"#, "},"),
    // V14, V15
    Removal("option-a-with-reset", #", "order": "fromHighest""#, ""),
    Removal("option-a-with-reset", #""to": "0 bit/s""#, #""to": "2000 kbit/s""#),
    Removal("option-a-without-reset", #""2000 kbit/s""#, #""0 bit/s""#),
    Removal("option-b", #""first": 4"#, #""first": 0"#),
    // Live
    Removal(
      "live-starts-three-target-durations-back", #""live": {"#, #""live": { "holdBack": "24 s","#),
    Removal("live-real-playlists", #", "live": { "startsWith": "41 s" }"#, ""),
    Removal("live-hold-back", #""holdBack": "24 s", "#, ""),
    Removal(
      "live-stall-at-the-edge", #""from": "30 s", "for": "30 s""#, #""from": "30 s", "for": "12 s""#
    ),
    Removal(
      "live-stall-at-the-edge", #""script""#,
      #""player": { "automaticallyPreservesTimeOffsetFromLive": true }, "script""#),
    Removal(
      "live-offset-kept", #""automaticallyPreservesTimeOffsetFromLive": true"#,
      #""automaticallyPreservesTimeOffsetFromLive": false"#),
    Removal(
      "live-paused-without-network", #""script""#,
      #""player": { "linkedSDK": "iOS 8" }, "script""#),
    Removal(
      "live-paused-with-network",
      #""canUseNetworkResourcesForLiveStreamingWhilePaused": true"#, ""),
    Removal("live-paused-with-network", #""do": "seekToLive""#, #""do": "pause""#),
    Removal("live-event-ends", #""playlistType": "event", "#, ""),
    Removal("live-encoder-stops", #""for": "40 s""#, #""for": "8 s""#),
    Removal("live-edge-is-not-full", #""bandwidth": "4 Mbit/s""#, #""bandwidth": "5.2 Mbit/s""#),
    Removal("live-low-latency-without-hints", #", "preloadHints": false"#, ""),
    Removal("live-low-latency", #", "parts": { "duration": "1 s" }"#, ""),
    // K3
    Removal("tree", #""duration": "60 s""#, #""duration": "60 s", "audio": []"#),
  ]

  @Test(arguments: removals) func `without what it shows a scenario fails`(
    removal: Removal
  ) throws {
    let shipped = try #require(ShippedScenario.all.first { $0.name == removal.scenario })
    let original = String(decoding: shipped.bytes, as: UTF8.self)
    let text = original.replacing(removal.text, with: removal.replacement, maxReplacements: 1)
    #expect(text != original)
    let outcome = try run(
      readScenario(
        [UInt8](text.utf8), file: removal.scenario, files: ShippedScenario.fileBeside))
    #expect(!outcome.failures.isEmpty)
    #expect(outcome.faults == [])
  }

  @Test func `every scenario of a stream is in the list`() {
    let names = ShippedScenario.all.map { $0.name }.filter { $0.hasPrefix("hls-") }
    for name in names {
      let isBroken =
        Self.removals.contains { $0.scenario == name }
        || BehaviourTests.showings.contains { $0.scenarios.contains { $0 + ".json" == name } }
      #expect(isBroken, "\(name)")
    }
  }
}
