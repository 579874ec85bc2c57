import SimulatedPlayback
import StreamingMedia
import VirtualTime

extension Decode {
  /// The one piece of media.
  static func media(_ shelf: FileShelf) -> (DocumentNode) -> MediaSource? {
    { node in
      node.object { object in
        object.exactlyOne(of: [
          ("local", { mediaFile($0).map { .local($0) } }),
          ("progressive", { mediaFile($0).map { .progressive($0) } }),
          ("hls", { stream($0, shelf).map { .stream($0) } }),
        ])
      }
    }
  }

  /// How many bytes of media there are, and where.
  private enum Amount {
    case bitRate(BitRate)
    case bytes(Int64)
    case perSecond([Int64])
  }

  private struct HeadAtom {
    var bytes: Int64 = 0
    var position = MediaFile.HeadAtomPosition.front
  }

  private static func mediaFile(_ node: DocumentNode) -> MediaFile? {
    node.object { object in
      let duration = object.optional("duration", as: mediaDuration)
      let amount = object.exactlyOne(of: [
        ("bitrate", { mediaBitRate($0).map(Amount.bitRate) }),
        ("size", { bytesAboveZero($0).map(Amount.bytes) }),
        ("sizesPerSecond", { list(atLeast: 1, of: fileBytes)($0).map(Amount.perSecond) }),
      ])
      let head = object.optional("headAtom", default: HeadAtom(), as: headAtom)
      let tracks = object.optional("tracks", default: [], as: Decode.tracks)
      guard let amount else { return nil }
      let map: ByteMap?
      switch amount {
      case .bitRate(let rate):
        map = object.need("duration", duration).flatMap { byteMap($0, rate, node) }
      case .bytes(let bytes):
        map = object.need("duration", duration).map { ByteMap(duration: $0, bytes: bytes) }
      case .perSecond(let sizes):
        let isWrong = duration == nil && object.has("duration")
        map = isWrong ? nil : byteMap(duration, sizes, object.child("sizesPerSecond") ?? node)
      }
      guard let map else { return nil }
      guard map.bytes <= ScenarioLimits.mostBytes - head.bytes else { return tooLarge(node) }
      for track in tracks {
        guard let length = track.duration, length > map.duration else { continue }
        object.refuse(
          key: "tracks", "the track \(quotation(of: track.name)) is longer than the file",
          expected: "a file that lasts as long as its longest track")
        return nil
      }
      var file = MediaFile(
        map: map, headAtomBytes: head.bytes, headAtomPosition: head.position)
      file.trackList = tracks
      return file
    }
  }

  private static func mediaBitRate(_ node: DocumentNode) -> BitRate? {
    checked(bitRate, expected: "a bit rate above zero") { !$0.isZero }(node)
  }

  private static func headAtom(_ node: DocumentNode) -> HeadAtom? {
    node.object { object in
      let bytes = object.required("size", as: fileBytes)
      let position = object.optional(
        "at", default: MediaFile.HeadAtomPosition.front,
        as: choice([("front", .front), ("end", .end)]))
      return bytes.map { HeadAtom(bytes: $0, position: position) }
    }
  }

  private static func tooLarge<Value>(_ node: DocumentNode) -> Value? {
    node.refuse("the file is too large", expected: "at most 10000 GB")
    return nil
  }

  /// A constant bit rate, rounded up to whole bytes; the smallest file has one.
  private static func byteMap(
    _ duration: MediaTime, _ rate: BitRate, _ node: DocumentNode
  ) -> ByteMap? {
    let bytes = quotient(
      Int128(duration.nanoseconds) * Int128(rate.numerator),
      8_000_000_000 * Int128(rate.denominator), rounding: .up)
    guard bytes <= Int128(ScenarioLimits.mostBytes) else { return tooLarge(node) }
    return ByteMap(duration: duration, bytes: Int64(bytes))
  }

  private static func byteMap(
    _ given: MediaTime?, _ sizes: [Int64], _ node: DocumentNode
  ) -> ByteMap? {
    let second = MediaTime.seconds(1)
    let duration = given ?? .seconds(Int64(sizes.count))
    guard duration <= ScenarioLimits.longestMedia else {
      node.refuse("the list has \(sizes.count) sizes", expected: "at most 30 days of seconds")
      return nil
    }
    // A second that begins before the end has a size, the last one perhaps for less than a second.
    let begun = (duration.nanoseconds - 1) / second.nanoseconds + 1
    guard begun == Int64(sizes.count) else {
      node.refuse(
        "the list has \(sizes.count) sizes",
        expected: "\(begun), one for each second that begins before the end")
      return nil
    }
    let bytes = sizes.reduce(Int128(0)) { $0 + Int128($1) }
    guard bytes <= Int128(ScenarioLimits.mostBytes) else { return tooLarge(node) }
    guard bytes > 0 else {
      node.refuse("all sizes are zero", expected: "one byte of media at least")
      return nil
    }
    return ByteMap(duration: duration, stretch: second, sizes: sizes)
  }
}
