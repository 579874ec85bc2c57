import ScenarioFormat
import ScenarioRunner
import Testing

/// What is wrong with a stream in a scenario.
@Suite struct StreamMistakeTests {
  private func file(stream: String, link: String = "{}") -> String {
    """
    { "scenario": "a", "about": "b", "link": \(link),
    "media": { "hls": \(stream) } }
    """
  }

  @Test(arguments: [
    (
      #"{ "ladder": "tlak", "duration": "9 s" }"#, "ladder",
      "unknown word “tlak” (expected “talk”, “appleH264”, “appleHEVC” or “tree”"
    ),
    (#"{ "ladder": [], "duration": "9 s" }"#, "ladder", ""),
    (
      #"{ "ladder": "talk", "duration": "9 s", "order": { "first": 6 } }"#, "order.first",
      "found the number 6 (expected a whole number of at most 5)"
    ),
    (
      #"{ "ladder": "talk", "duration": "9 s", "sizes": { "peak": "90 %" } }"#, "sizes.peak",
      "found the string “90 %” (expected a whole percentage from 100 % to 1000 %)"
    ),
    (
      #"{ "ladder": "talk", "duration": "9 s", "gzip": "0.5 %" }"#, "gzip",
      "found the string “0.5 %” (expected a whole percentage from 1 % to 100 %)"
    ),
    (
      #"{ "ladder": [{ "bitrate": "0 bit/s" }], "duration": "9 s" }"#, "ladder[0].bitrate",
      "found the string “0 bit/s” (expected a whole bit rate from 1 bit/s to 1000 Gbit/s)"
    ),
    (
      #"{ "ladder": [{ "bitrate": "9 bit/s", "resolution": "1280*720" }], "duration": "9 s" }"#,
      "ladder[0].resolution",
      "“1280*720” is no size (expected a width and a height of 1 to 99999, such as “1280x720”)"
    ),
    (
      #"{ "ladder": [{ "bitrate": "64 kbit/s", "codecs": ["mp4a.40.2"] }], "duration": "9 s", "#
        + #""audio": [{ "name": "English", "bitrate": "96 kbit/s" }] }"#,
      nil, "a rung of sound alone beside separate audio is played by it"
    ),
    (
      #"{ "ladder": [{ "bitrate": "96 kbit/s", "audioBitrate": "1 kbit/s", "#
        + #""codecs": ["mp4a.40.2"] }], "duration": "9 s", "#
        + #""audio": [{ "name": "English", "bitrate": "96 kbit/s" }] }"#,
      nil, "a rung of sound alone beside separate audio is played by it"
    ),
  ]) func `a stream's mistake is told at its place`(
    stream: String, place: String?, message: String
  ) {
    let text = mistakes(in: file(stream: stream))
    let path = "media.hls" + (place.map { "." + $0 } ?? "")
    #expect(text.contains(": \(path): \(message)"), "\(text)")
    #expect(text.filter { $0 == "\n" }.count == 1, "\(text)")
  }

  @Test(arguments: [
    (
      #""player": { "audioLanguage": "fr" }"#,
      "player.audioLanguage: no audio of the stream is in “fr” (expected one of “en” or “es”"
    ),
    (
      #""player": { "subtitleLanguage": "en" }"#,
      "player.subtitleLanguage: no subtitles of the stream are in “en” (expected subtitles with a "
        + "“language” beside the ladder)"
    ),
    (
      #""script": [ { "at": "0 s", "do": "selectAudio", "to": "ens" } ]"#,
      "script[0].to: no audio of the stream is in “ens” (expected one of “en” or “es”; did you mean"
    ),
    (
      #""script": [ { "at": "0 s", "do": "selectAudio", "to": null } ]"#,
      "script[0].to: found null (expected"
    ),
    (
      #""script": [ { "at": "0 s", "do": "loadValues", "keys": [ "durations" ] } ]"#,
      "script[0].keys[0]: unknown word “durations” (expected “duration”, “"
    ),
    (
      #""player": { "codecs": [ "h265" ] }"#,
      "player.codecs[0]: unknown word “h265” (expected “h264”, “hevc”, "
    ),
    (
      #""player": { "videoRanges": [] }"#, "player.videoRanges: "
    ),
    (
      #""script": [ { "at": "0 s", "do": "setExpensiveNetwork", "to": "yes" } ]"#,
      "script[0].to: found the string “yes” (expected true or false)"
    ),
  ]) func `what is selected and supported has to be there`(part: String, message: String) {
    let stream = """
      { "ladder": "talk", "duration": "9 s", "audio": [
      { "name": "E", "language": "en", "bitrate": "64 kbit/s" },
      { "name": "S", "language": "es", "bitrate": "64 kbit/s" } ] }
      """
    let text = mistakes(
      in: """
        { "scenario": "a", "about": "b", "link": {}, "media": { "hls": \(stream) }, \(part) }
        """)
    #expect(text.contains(message), "\(text)")
    #expect(text.filter { $0 == "\n" }.count == 1, "\(text)")
  }

  @Test(arguments: [
    (#"{ "ladder": "talk", "duration": "30 days" }"#, "at most 200000 in all of them together"),
    (
      #"{ "ladder": "talk", "duration": "9 us", "segmentDuration": "1 us" }"#,
      "a segment lasts between 1 ms and 1 h"
    ),
  ]) func `a stream that cannot be built is refused in words`(stream: String, message: String) {
    let text = mistakes(in: file(stream: stream))
    #expect(text.contains(message), "\(text)")
  }

  @Test(arguments: [
    (#"{ "relativeBandwidth": "50 %" }"#, "link.relativeBandwidth"),
    (#"{ "profile": "Slow Server" }"#, "link.profile"),
  ]) func `a link relative to a stream is refused`(link: String, place: String) {
    let text = mistakes(
      in: file(stream: #"{ "ladder": "talk", "duration": "9 s" }"#, link: link))
    #expect(text.contains(place + ": is relative to the bit rate of the media"), "\(text)")
  }

  @Test func `a delta update has no size but that of its text`() {
    let text = mistakes(
      in: file(
        stream: #"""
          { "ladder": "talk", "duration": "9 s", "playlistBytes": "1 KB",
          "live": { "canSkipUntil": "1 min" } }
          """#))
    #expect(
      text.contains(
        ": media.hls.playlistBytes: a delta update is as large as its text (expected no size"),
      "\(text)")
  }

  @Test(arguments: [
    (
      #"{ "window": "20 s" }"#, "window",
      "the window is too short (expected at least three target durations)"
    ),
    (
      #"{ "holdBack": "29 s" }"#, "holdBack",
      "HOLD-BACK is too short (expected at least three target durations)"
    ),
    (
      #"{ "canSkipUntil": "59 s" }"#, "canSkipUntil",
      "CAN-SKIP-UNTIL is too short (expected at least six target durations)"
    ),
    (
      #"{ "playlistType": "event", "window": "1 h" }"#, "window",
      "an event playlist keeps everything"
    ),
    (
      #"{ "playlistType": "event", "keepsRemovedSegments": "1 h" }"#, "keepsRemovedSegments",
      "an event playlist keeps everything"
    ),
    (
      #"{ "parts": { "duration": "1 s", "holdBack": "1 s" } }"#, "parts",
      "PART-HOLD-BACK is too short (expected at least two parts)"
    ),
    (#"{ "parts": { "holdBack": "3 s" } }"#, "parts", "“duration” is missing"),
    (
      #"{ "encoderStops": [{ "from": "9 s", "for": "2 s" }, { "from": "10 s", "for": "1 s" }] }"#,
      "encoderStops", "the stops overlap or are out of order"
    ),
  ]) func `a live stream's mistake is told at its place`(
    live: String, place: String, message: String
  ) {
    let text = mistakes(
      in: file(stream: #"{ "ladder": "talk", "duration": "9 s", "live": \#(live) }"#))
    #expect(text.contains(": media.hls.live.\(place): \(message)"), "\(text)")
    #expect(text.filter { $0 == "\n" }.count == 1, "\(text)")
  }
}
