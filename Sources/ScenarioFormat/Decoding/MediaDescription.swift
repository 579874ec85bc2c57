import ExactText
import SimulatedPlayback
import StreamingMedia
import VirtualTime

extension Form<MediaSource> {
  static var media: Form { anyMedia }
}

private let anyMedia = KeyTable<MediaSource?>("media", "A piece of media.") {
  Key.oneOf(
    "local", { $0 = .local($1) }, FileDescription.form, "A file that is wholly there.")
  Key.oneOf(
    "progressive", { $0 = .progressive($1) }, FileDescription.form,
    "A file that is downloaded while it plays.")
  Key.oneOf(
    "hls", { $0 = .stream($1) }, StreamDescription.form, "HTTP Live Streaming.")
}.form()

private struct FileDescription {
  var duration: MediaTime?
  var amount: Amount?
  var head = HeadAtomDescription()
  var tracks: [MediaTrack] = []

  enum Amount {
    case bitRate(BitRate)
    case bytes(Int64)
    case perSecond([Int64])
  }

  static let form = keys.form(FileDescription()) { part, object in part.file(&object) }

  private static let keys = KeyTable<Self>("file", "A file of one rendition.") {
    Key.optional(
      "duration", { $0.duration = $1 }, .mediaDuration.examples("2 s"),
      "Duration, at most 30 days.")
    Key.oneOf("bitrate", { $0.amount = .bitRate($1) }, .bitRateAboveZero, "A constant bit rate.")
      .needing("duration")
    Key.oneOf(
      "size", { $0.amount = .bytes($1) }, .bytesAboveZero, "The size of all media, spread evenly."
    ).needing("duration")
    Key.oneOf(
      "sizesPerSecond", { $0.amount = .perSecond($1) },
      .list(of: .bytes, atLeast: 1).examples(["250 KB", "90 KB"]),
      "The size of each second of media; the last may last for less than one.")
    Key.optional(
      "headAtom", { $0.head = $1 }, HeadAtomDescription.form,
      "Head atom: bytes to be read before playback.")
    Key.optional(
      "tracks", { $0.tracks = $1 },
      .named("track", atMost: 64, of: MediaTrack.form),
      absent: [], "Tracks of the file.")
  }

  private func file(_ object: inout DocumentObject) -> MediaFile? {
    guard let map = byteMap(&object) else { return nil }
    guard map.bytes <= ScenarioLimits.mostBytes - head.bytes else { return tooLarge(object.node) }
    for track in tracks {
      guard let length = track.duration, length > map.duration else { continue }
      return object.refuse(
        key: "tracks", "the track \(quotation(of: track.name)) is longer than the file",
        expected: "a file that lasts as long as its longest track")
    }
    let file = MediaFile(map: map, headAtomBytes: head.bytes, headAtomPosition: head.position)
    return changed(file) { $0.trackList = tracks }
  }

  private func byteMap(_ object: inout DocumentObject) -> ByteMap? {
    switch amount {
    case .bitRate(let rate): return duration.flatMap { byteMap($0, rate, object.node) }
    case .bytes(let bytes): return duration.map { ByteMap(duration: $0, bytes: bytes) }
    case .perSecond(let sizes):
      let isWrong = duration == nil && object.has("duration")
      return isWrong ? nil : byteMap(sizes, object.child("sizesPerSecond") ?? object.node)
    case nil: return nil
    }
  }

  private func tooLarge<Value>(_ node: DocumentNode) -> Value? {
    node.refuse("the file is too large", expected: "at most 10000 GB")
  }

  /// A constant bit rate, rounded up to whole bytes; the smallest file has one.
  private func byteMap(_ duration: MediaTime, _ rate: BitRate, _ node: DocumentNode) -> ByteMap? {
    let bytes = quotient(
      Int128(duration.nanoseconds) * Int128(rate.numerator),
      8_000_000_000 * Int128(rate.denominator), rounding: .up)
    guard bytes <= Int128(ScenarioLimits.mostBytes) else { return tooLarge(node) }
    return ByteMap(duration: duration, bytes: Int64(bytes))
  }

  private func byteMap(_ sizes: [Int64], _ node: DocumentNode) -> ByteMap? {
    let second = MediaTime.seconds(1)
    let duration = duration ?? .seconds(Int64(sizes.count))
    guard duration <= ScenarioLimits.longestMedia else {
      return node.refuse(
        "the list has \(counted(Int64(sizes.count), "size"))",
        expected: "at most 30 days of seconds")
    }
    // A second that begins before the end has a size, the last one perhaps for less than a second.
    let begun = (duration.nanoseconds - 1) / second.nanoseconds + 1
    guard begun == Int64(sizes.count) else {
      return node.refuse(
        "the list has \(counted(Int64(sizes.count), "size"))",
        expected: "\(begun), one for each second that begins before the end")
    }
    let bytes = sizes.reduce(Int128(0)) { $0 + Int128($1) }
    guard bytes <= Int128(ScenarioLimits.mostBytes) else { return tooLarge(node) }
    guard bytes > 0 else {
      return node.refuse("all sizes are zero", expected: "one byte of media at least")
    }
    return ByteMap(duration: duration, stretch: second, sizes: sizes)
  }
}

private struct HeadAtomDescription {
  var bytes: Int64 = 0
  var position = MediaFile.HeadAtomPosition.front

  static let form = KeyTable<Self>("headAtom", "The index of a file.") {
    Key.required("size", { $0.bytes = $1 }, .bytes, "Its size, beside that of the media.")
    Key.optional(
      "at", { $0.position = $1 }, .words([("front", .front), ("end", .end)]), absent: "front",
      "Position of the head atom; at the end it costs a further request.")
  }.form(HeadAtomDescription())
}
