/// Media that players were measured with: files by their seconds, streams by their segments.
struct PlayedMedia: Sendable {
  /// The part “media” of a scenario.
  let text: String
  /// Byte offset at the end of each second of the file; empty for a stream.
  private let ends: [Double]

  /// - Parameter name: Of an earlier encode too, whose measurements may not have survived.
  init(_ name: String, in catalogue: MeasuredRow) throws(Failure) {
    let key = catalogue.has(name) || !name.hasPrefix("old-") ? name : String(name.dropFirst(4))
    let media = try catalogue.object(key)
    let duration = try media.number("duration", in: 0.1...86_400)
    if media.has("sec_end_offset") {
      let isAtEnd = key.contains("moovend")
      ends = try media.numbers("sec_end_offset", in: 0...1e12)
      // An earlier encode has the index of the later one.
      let index = media.has("moov") ? try media.numbers("moov", in: 0...1e12) : [32, 28_573]
      let head = index.count > 1 ? index[1] : 0
      var sizes: [String] = []
      var before = isAtEnd ? 0 : head + 40
      for end in ends {
        sizes.append("\"\(Int64(max(0, end - before))) B\"")
        before = end
      }
      text = """
        { "progressive": { "duration": "\(fixedPoint(duration, places: 3)) s",
          "sizesPerSecond": [ \(sizes.joined(separator: ", ")) ],
          \(key.hasSuffix("v") ? Self.silent : "")
          "headAtom": { "size": "\(Int64(head)) B", "at": "\(isAtEnd ? "end" : "front")" } } }
        """
    } else {
      ends = []
      text = try Self.stream(media, key, duration)
    }
  }

  /// Files whose names end in “v” have pictures alone.
  private static let silent = #""tracks": [ { "kind": "video", "name": "pictures" } ],"#

  private static func stream(
    _ media: MeasuredRow, _ name: String, _ duration: Double
  ) throws(Failure) -> String {
    let segment = name.last.flatMap { Int64(String($0)) } ?? 2
    var tracks: [(name: String, sizes: [Int64])] = []
    var isInterleaved = false
    for (file, bytes) in try media.sizedFiles("files") where !file.hasPrefix("init") {
      // A transport stream has its packets of sound and of pictures in the order of their times.
      if file.hasSuffix(".ts") { isInterleaved = true }
      // All of the segments of a track are called alike, but for the number at the end.
      let stem = file.prefix { $0 != "." }
      let track = String(stem.prefix(stem.count - stem.reversed().prefix { $0.isNumber }.count))
      if let index = tracks.firstIndex(where: { $0.name == track }) {
        tracks[index].sizes.append(bytes)
      } else {
        tracks.append((track, [bytes]))
      }
    }
    func rate(_ sizes: [Int64]) -> Int64 {
      max(1, Int64(Double(sizes.reduce(0, +)) * 8 / duration / 1_000))
    }
    tracks = tracks.filter { $0.sizes.count > 2 }
    let sound = tracks.count > 1 ? tracks.filter { rate($0.sizes) < 150 } : []
    let pictures = tracks.filter { track in !sound.contains { $0.name == track.name } }
      .sorted { rate($0.sizes) < rate($1.sizes) }
    let rungs = pictures.map { track in
      let sizes = track.sizes.map { "\"\($0) B\"" }.joined(separator: ", ")
      return "{ \"bitrate\": \"\(rate(track.sizes)) kbit/s\", \"segmentBytes\": [ \(sizes) ] }"
    }
    let audio = sound.prefix(1).map {
      "{ \"name\": \"sound\", \"bitrate\": \"\(rate($0.sizes)) kbit/s\" }"
    }
    return """
      { "hls": { "ladder": [ \(rungs.joined(separator: ", ")) ],
        "audio": [ \(audio.joined()) ], "segmentDuration": "\(segment) s",
        "interleaved": \(isInterleaved),
        "duration": "\(fixedPoint(duration, places: 3)) s" } }
      """
  }

  func seconds(within bytes: Double) -> Double {
    var (time, before) = (0.0, 28_613.0)
    for end in ends {
      if end > bytes { return time + max(0, bytes - before) / max(1, end - before) }
      (time, before) = (time + 1, end)
    }
    return time
  }
}
