/// The assignment of the bytes of a server's stream to responses.
///
/// A server writes a frame when the network takes it, not earlier: which response a byte belongs to
/// is decided when the byte is sent, so the labels of what is not sent yet stay open. With HTTP/1.1
/// there is one response at a time and no frame around it.
struct Multiplexer: Sendable {
  /// A response, and what of it has no label yet.
  private struct Stream: Sendable {
    let id: TransferID
    var header: Int64
    var body: Int64
    var isPaused = false
  }

  /// A turn of one response.
  private struct Frame: Sendable {
    var id: TransferID
    /// The start of the frame in the server's stream.
    var start: Int64
    /// The header bytes before the frame's part of the body.
    var overhead: Int64
    var body: Int64
    var beginsResponse: Bool
    /// The number of body bytes that have been handed on.
    var counted: Int64 = 0
  }

  /// A newly arrived part of a response.
  struct Receipt: Sendable {
    var id: TransferID
    var body: Int64
    /// Whether its header is complete with this.
    var begins: Bool
  }

  private let frameHeader: Int64
  private var streams: [Stream] = []
  /// The index of the response that sends the next frame.
  private var turn = 0
  private var frames = Ring(
    filler: Frame(
      id: TransferID(rawValue: 0), start: 0, overhead: 0, body: 0, beginsResponse: false))
  /// Up to here every byte belongs to somebody.
  private var labelled: Int64 = 0

  init(_ http: HTTPOptions) {
    frameHeader = http.version.resetsStreams ? MessageSizes.frameHeader : 0
  }

  /// Bytes of the stream that belong to no response.
  mutating func skip(_ bytes: Int64) { labelled += bytes }

  /// Takes a response in; how many bytes the server writes for it.
  mutating func add(_ id: TransferID, body: Int64, sent: Int64) -> Int64 {
    // Bytes already sent belong to the responses that were there before.
    label(upTo: sent)
    let stream = Stream(id: id, header: MessageSizes.responseHeader + frameHeader, body: body)
    streams.append(stream)
    return size(stream)
  }

  /// Takes a response out that nobody wants; how many bytes the server will not write after all.
  mutating func remove(_ id: TransferID, sent: Int64) -> Int64 {
    label(upTo: sent)
    guard let index = streams.firstIndex(where: { $0.id == id }) else { return 0 }
    let stream = streams[index]
    drop(index)
    return stream.isPaused ? 0 : size(stream)
  }

  /// Holds or resumes a response; returns the bytes that the server withholds, or writes after all.
  mutating func setPaused(_ paused: Bool, _ id: TransferID, sent: Int64) -> Int64 {
    label(upTo: sent)
    let place = streams.firstIndex { $0.id == id && $0.isPaused != paused }
    guard let index = place else { return 0 }
    streams[index].isPaused = paused
    return size(streams[index])
  }

  /// Hands on what has arrived of each response.
  mutating func receive(upTo received: Int64, into receipts: inout [Receipt]) {
    label(upTo: received)
    while !frames.isEmpty {
      let frame = frames[frames.first]
      if frame.start >= received { return }
      let past = received - frame.start - frame.overhead
      let got = min(max(0, past), frame.body)
      let begins = frame.beginsResponse && past >= 0
      if got > frame.counted || begins {
        receipts.append(Receipt(id: frame.id, body: got - frame.counted, begins: begins))
      }
      if past < frame.body {
        frames[frames.first].counted = got
        if begins { frames[frames.first].beginsResponse = false }
        return
      }
      _ = frames.removeFirst()
    }
  }

  /// Gives every byte before a position to a response, a frame each in equal turns.
  private mutating func label(upTo position: Int64) {
    while labelled < position, let index = next() {
      let stream = streams[index]
      let body = min(MessageSizes.frame, stream.body)
      let overhead = stream.header + (body > 0 ? frameHeader : 0)
      frames.append(
        Frame(
          id: stream.id, start: labelled, overhead: overhead, body: body,
          beginsResponse: stream.header > 0))
      labelled += overhead + body
      streams[index].header = 0
      streams[index].body -= body
      turn = index + 1
      if streams[index].header == 0 && streams[index].body == 0 { drop(index) }
    }
  }

  private func next() -> Int? {
    for step in 0..<streams.count {
      let index = (turn + step) % streams.count
      if !streams[index].isPaused { return index }
    }
    return nil
  }

  private mutating func drop(_ index: Int) {
    streams.remove(at: index)
    if turn > index { turn -= 1 }
  }

  /// The number of stream bytes that the unlabelled part of a response will take.
  private func size(_ stream: Stream) -> Int64 {
    let frames = (stream.body + MessageSizes.frame - 1) / MessageSizes.frame
    return stream.header + stream.body + frames * frameHeader
  }
}
