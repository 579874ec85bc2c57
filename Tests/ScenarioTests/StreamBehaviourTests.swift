import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing

/// What a scenario of a stream shows is what makes it come true: taken away, it fails.
@Suite struct StreamBehaviourTests {
  static let fixed = #", "adaptation": "fixed""#

  private static func removal(
    _ scenario: String, _ text: String, _ replacement: String
  ) -> Removal {
    Removal("hls-" + scenario, text, replacement)
  }

  static let removals = [
    // V11: one segment, and only where the link sustains it.
    removal("talk-rung-110", #""first": 0"#, #""first": 1"#),
    removal("talk-rung-400", #""bandwidth": "2 Mbit/s""#, #""bandwidth": "1.99 Mbit/s""#),
    removal(
      "talk-rung-600", #""duration": "100 s""#, #""duration": "100 s", "segmentDuration": "6 s""#),
    removal("talk-rung-1800", #""player": {"#, #""player": { "heuristic": "everythingLoaded","#),
    removal("talk-rung-4500", #""player": {"#, #""player": { "heuristic": "immediate","#),
    removal("talk-rung-4500", fixed, ""),
    removal("probe-before-the-first-variant", #""probe": "4 s""#, #""probe": "1 s""#),
    // V16
    removal(
      "unsustained-rung-goes-down", #""player": {"#, #""player": { "adaptation": "fixed","#),
    // H1
    removal("startup-stages", #", "delay": "100 ms""#, ""),
    removal("startup-stages", #""bitrate": "64 kbit/s""#, #""bitrate": "640 kbit/s""#),
    // H2
    removal("round-trips-decide", #", "delay": "500 ms""#, ""),
    removal("segment-decides", #""400 kbit/s""#, #""4 Mbit/s""#),
    // H3, H4, H7
    removal("title-card-loads-values", #"{ "at": "0 s", "do": "loadValues" },"#, ""),
    removal("title-card-loads-values", #""preloadsKeys": true"#, #""preloadsKeys": false"#),
    removal(
      "lazy-asset", #""script": ["#, #""script": [ { "at": "0 s", "do": "loadValues" },"#),
    // H8
    removal(
      "title-card-preloads-segments",
      #""do": "setPreferredForwardBufferDuration", "to": "0 s""#,
      #""do": "setPreferredForwardBufferDuration", "to": "5 s""#),
    removal(
      "title-card-forgets-the-reset", #", "outages": [ { "from": "20 s", "for": "12 s" } ]"#, ""),
    // H9
    removal("start-time-set-early", #", "startTime": "30 s""#, ""),
    removal("start-time-set-late", #""at": "2 s", "do": "seek""#, #""at": "0 s", "do": "seek""#),
    removal(
      "language-selected-early", #", "audioLanguage": "fr""#,
      #", "audioLanguage": "fr", "startTime": "30 s""#),
    removal(
      "language-selected-late", #""at": "4.5 s", "do": "selectAudio""#,
      #""at": "0 s", "do": "selectAudio""#),
    // H5
    removal("playlists-gzip", #", "gzip": "15 %""#, ""),
    removal("playlists-plain", #""duration": "2 h""#, #""duration": "2 h", "gzip": "15 %""#),
    // H6
    removal("key-announced-preloaded", #""preloadsKeys": true"#, #""preloadsKeys": false"#),
    removal("key-announced-preloaded", #""announced": true"#, #""announced": false"#),
    removal("key-announced-on-demand", #""preloadsKeys": false"#, #""preloadsKeys": true"#),
    removal("key-unannounced-preloaded", #""announced": false"#, #""announced": true"#),
    removal("key-unannounced-on-demand", #""thinkTime": "1 s""#, #""thinkTime": "0 s""#),
    // V3, V4, V7
    removal("layer-caps-the-picture", #""layer": { "size": "568x320", "scale": 2 }, "#, ""),
    removal("layer-without-scale", #""size": "568x320""#, #""size": "568x320", "scale": 2"#),
    removal("layer-shrinks", #"{ "size": "400x225", "scale": 1 }"#, "null"),
    // V2, V5, V6
    removal("large-screen", #""size": "1920x1080""#, #""size": "960x540""#),
    removal("slow-network", #""200 kbit/s", "delay""#, #""20 Mbit/s", "delay""#),
    removal(
      "layer-connected-late", #""observedBitrate""#,
      #""layer": { "size": "568x320", "scale": 2 }, "observedBitrate""#),
    // V8
    removal(
      "first-choice-on-a-fast-link", #""script""#,
      #""player": { "observedBitrate": "40 Mbit/s" }, "script""#),
    removal(
      "first-choice-on-a-slow-link", #""script""#,
      #""player": { "observedBitrate": "700 kbit/s" }, "script""#),
    // V10
    removal("quality-or-time-600", #""first": 2"#, #""first": 4"#),
    removal("quality-or-time-4500", #""first": 4"#, #""first": 2"#),
    // V13
    removal("least-acceptable-start", #", "lastBitrate": "3 Mbit/s""#, ""),
    removal("least-acceptable-on-a-slow-link", #""1280x720""#, #""640x360""#),
    // The unit of the slide's 2000
    removal("peak-bit-rate-taken-literally", #""2000 bit/s""#, #""2000 kbit/s""#),
    // What the device supports, and paths that cost
    removal("codecs-of-the-device", #""h264", "aac""#, #""h264", "hevc", "aac""#),
    removal("ranges-of-the-display", #""SDR" ]"#, #""SDR", "PQ" ]"#),
    removal(
      "expensive-network", #", "preferredPeakBitRateForExpensiveNetworks": "1000 kbit/s""#, ""),
    removal("expensive-from-the-start", #", "expensive": true"#, ""),
    removal("expensive-for-every-item", #", "expensive": true"#, ""),
    removal("peak-bit-rate-before-the-queue", #""700 kbit/s""#, #""0 bit/s""#),
    removal("peak-bit-rate-before-the-queue", #", "item": "free""#, ""),
    // T4, and the kinds of renditions
    removal("language-change-in-time", #""8 Mbit/s""#, #""1500 kbit/s""#),
    removal("language-change-too-late", #""40 kbit/s""#, #""4 Mbit/s""#),
    removal(
      "subtitles-beside", #""do": "selectSubtitles", "to": "es""#,
      #""do": "selectSubtitles", "to": null"#),
    removal(
      "muxed-audio", #""duration": "60 s""#,
      #""duration": "60 s", "audio": [ { "name": "English", "bitrate": "128 kbit/s" } ]"#),
    removal("audio-only-variant", #"{ "bitrate": "64 kbit/s", "codecs": [ "mp4a.40.2" ] }, "#, ""),
    // The brief evaluation
    removal("evaluating-then-playing", #", "evaluationPeriod": "500 ms""#, ""),
    removal("evaluating-then-minimizing", #", "evaluationPeriod": "500 ms""#, ""),
    // E4
    removal("goes-down-before-it-stalls", #""player": {"#, #""player": { "adaptation": "fixed","#),
    // V9 and what came after it
    removal("first-applicable-then-up", "iOS 12", "iOS 13"),
    removal(
      "first-applicable-then-up", #""player": {"#, #""player": { "adaptation": "fixed","#),
    removal(
      "assumed-bitrate-start", #""script""#, #""player": { "linkedSDK": "iOS 12" }, "script""#),
    // V12
    removal("previous-observed-bitrate", #""observedBitrate": "8 Mbit/s" },"#, "},"),
    // V14, V15
    removal("option-a-with-reset", #", "order": "fromHighest""#, ""),
    removal("option-a-with-reset", #""to": "0 bit/s""#, #""to": "2000 kbit/s""#),
    removal("option-a-without-reset", #""2000 kbit/s""#, #""0 bit/s""#),
    removal("option-b", #""first": 4"#, #""first": 0"#),
    // Live
    removal(
      "live-starts-three-target-durations-back", #""live": {"#, #""live": { "holdBack": "24 s","#),
    removal("live-real-playlists", #", "live": { "startsWith": "41 s" }"#, ""),
    removal("live-playlist-holds-back", #""live": {"#, #""live": { "holdBack": null,"#),
    removal("live-playlist-holds-back", #""live": {"#, #""live": { "canSkipUntil": null,"#),
    removal("live-playlist-holds-back", #""live": {"#, #""live": { "playlistType": "sliding","#),
    removal("live-playlist-holds-back", "playlists/held-back", "playlists/parts"),
    removal("live-playlist-in-parts", #""live": {"#, #""live": { "parts": null,"#),
    removal(
      "live-playlist-in-parts", #""live": {"#, #""live": { "parts": { "holdBack": "3 s" },"#),
    removal(
      "live-playlist-in-parts", #""live": {"#, #""live": { "parts": { "blockingReload": false },"#),
    removal("live-hold-back", #""holdBack": "24 s", "#, ""),
    removal(
      "live-stall-at-the-edge", #""from": "30 s", "for": "30 s""#, #""from": "30 s", "for": "12 s""#
    ),
    removal(
      "live-stall-at-the-edge", #""script""#,
      #""player": { "automaticallyPreservesTimeOffsetFromLive": true }, "script""#),
    removal(
      "live-offset-kept", #""automaticallyPreservesTimeOffsetFromLive": true"#,
      #""automaticallyPreservesTimeOffsetFromLive": false"#),
    removal(
      "live-paused-without-network", #""script""#,
      #""player": { "linkedSDK": "iOS 8" }, "script""#),
    removal(
      "live-paused-with-network",
      #""canUseNetworkResourcesForLiveStreamingWhilePaused": true"#, ""),
    removal("live-paused-with-network", #""do": "seekToLive""#, #""do": "pause""#),
    removal("live-event-ends", #""playlistType": "event", "#, ""),
    removal("live-encoder-stops", #""for": "40 s""#, #""for": "8 s""#),
    removal("live-edge-is-not-full", #""bandwidth": "4 Mbit/s""#, #""bandwidth": "5.2 Mbit/s""#),
    removal(
      "live-removed-segments", #""window": "2 min""#,
      #""window": "2 min", "keepsRemovedSegments": "20 s""#),
    removal(
      "live-removed-segments", #""window": "2 min""#,
      #""window": "2 min", "keepsRemovedSegments": "1 h""#),
    removal("live-delta-updates", #""canSkipUntil": "36 s", "#, ""),
    removal(
      "live-rendition-reports", #""parts": { "duration": "1 s" }"#,
      #""parts": { "duration": "1 s", "renditionReports": false }"#),
    removal("live-low-latency-without-hints", #", "preloadHints": false"#, ""),
    removal("live-low-latency", #", "parts": { "duration": "1 s" }"#, ""),
    // V5
    removal(
      "edge-first-segment-given-up", #""policy": "avfoundation""#,
      #""policy": { "like": "avfoundation", "abandon": "rescue" }"#),
    removal(
      "edge-first-segment-waited-for", #"{ "like": "avfoundation", "abandon": "rescue" }"#,
      #""avfoundation""#),
    // V17, G15
    removal(
      "smaller-picture-holds-fewer-bytes", #"{ "size": "400x225", "scale": 1 }"#,
      #"{ "size": "1366x1024", "scale": 2 }"#),
    Removal("gapless-conditions-do-not-persist", #""at": "9.02 s""#, #""at": "19 s""#),
    // K3
    removal("tree", #""duration": "60 s""#, #""duration": "60 s", "audio": []"#),
  ]

  @Test(arguments: Seeds.cases(of: removals)) func `without what it shows a scenario fails`(
    removal: Removal
  ) throws {
    try removal.expectFailure()
  }
}
