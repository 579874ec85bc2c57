/// Where a block comes from that can fill a seat: a row for each.
package struct BlockSource: Hashable, Sendable {
  /// As a scenario names it.
  package var name: String
  /// What it says, where it is a word alone; the others have keys, which say it.
  package var about: String?
  package var source: String
  package var confidence: PolicyPreset.Confidence

  init(
    _ name: String, _ source: String, _ confidence: PolicyPreset.Confidence, about: String? = nil
  ) {
    self.name = name
    self.about = about
    self.source = source
    self.confidence = confidence
  }

  package static func named(_ name: String) -> BlockSource? { all.first { $0.name == name } }

  package static let all = readiness + beliefs + variants

  private static let readiness = [
    BlockSource(
      "playThrough",
      "WWDC16 503 says what is asked for; the formula is ours, and gives the screens of the demo",
      .assumed),
    BlockSource(
      "everythingLoaded", "what ends a wait in every player, as a rule of its own", .source,
      about: "Everything to the end is there."),
    BlockSource(
      "anything", "players on Media Source Extensions leave it to the browser", .source,
      about: "There is something under the playhead."),
    BlockSource("media", "Media3, mpv, Shaka and KSPlayer: seconds of media", .source),
    BlockSource("playingTime", "Media3 divides by the speed (DefaultLoadControl)", .source),
    BlockSource("bytes", "ijkplayer where durations are unknown, Media3 by size", .source),
    BlockSource("segments", "WWDC18 502: one segment in most of the cases", .documented),
    BlockSource("mediaLimitShare", "GStreamer's and Kodi's watermarks", .copy),
    BlockSource("byteLimitShare", "GStreamer's queue2 in percent of its bytes", .source),
    BlockSource("sound", "Chromium's renderer of sound has a mark of its own", .copy),
    BlockSource("pictures", "players whose tracks come apart", .assumed),
    BlockSource("escalating", "ijkplayer from buffering to buffering, Chromium's sound", .source),
    BlockSource("after", "Firefox leaves its buffering after a while", .copy),
    BlockSource("at", "for experiments", .assumed),
    BlockSource("any", "Firefox: predicted, or long enough, or enough", .copy),
    BlockSource("all", "for experiments", .assumed),
    BlockSource(
      "every", "players that poll: ijkplayer each half second, Media3 each 10 ms", .source),
  ]

  private static let beliefs = [
    BlockSource("line", "ours, for runs that are to be worked out with a pencil", .assumed),
    BlockSource("history", "Chromium since the beginning; the least of two means is ours", .copy),
    BlockSource("samples", "Media3, hls.js, dash.js, Shaka and VHS, each with its own", .source),
  ]

  private static let variants = [
    BlockSource(
      "firstListed", "AVPlayer before iOS 13, by the HLS authoring specification", .documented,
      about: "The eligible variant that stands first in the playlist."),
    BlockSource("lowest", "for experiments", .assumed, about: "The lowest eligible variant."),
    BlockSource("highest", "for experiments", .assumed, about: "The highest eligible variant."),
    BlockSource("fixed", "for experiments", .assumed, about: "The first variant is kept."),
    BlockSource("throughput", "Media3's shape; AVPlayer's numbers are ours", .assumed),
    BlockSource("buffer", "Huang and others, 2014: a map from the buffer", .documented),
    BlockSource("band", "Shaka asks for more to go up than to stay", .source),
    BlockSource(
      "sabreThroughput", "Sabre 09b03bb; Spiteri, Sitaraman, Sparacio, MMSys 2018", .source),
    BlockSource("bola", "Sabre 09b03bb; Spiteri, Urgaonkar, Sitaraman, 2016", .source),
    BlockSource(
      "enhancedBola", "Sabre 09b03bb; Spiteri, Sitaraman, Sparacio, MMSys 2018", .source),
    BlockSource("dynamic", "Sabre 09b03bb; Spiteri, Sitaraman, Sparacio, MMSys 2018", .source),
    BlockSource("predictive", "Pensieve's mpc.py; Yin and others, SIGCOMM 2015", .source),
    BlockSource("never", "for experiments", .assumed, about: "No segment is given up."),
    BlockSource(
      "rescue", "WWDC18 502 says that it switches down; every number is ours", .assumed,
      about: "A segment that would leave too little ahead is given up for a lower variant."),
    BlockSource(
      "whenDry", "AVPlayerItem.isPlaybackBufferEmpty", .documented,
      about: "When nothing is left under the playhead."),
  ]
}
