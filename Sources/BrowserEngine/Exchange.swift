/// The exchange of bytes between a web page and the engine.
///
/// The page reserves room, writes its bytes there, asks for something to be done with them and
/// reads the answer where it lies. There is one page and one engine, so one of these is enough.
struct Exchange {
  private var question = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  private(set) var result = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

  /// Makes room for a question; what was there before is gone.
  mutating func reserve(_ length: Int) -> UnsafeMutablePointer<UInt8>? {
    question.deallocate()
    question = .allocate(capacity: max(1, length))
    return question.baseAddress
  }

  /// Answers the first `length` bytes of the question; says how long the answer is.
  mutating func answer(_ length: Int, by work: ([UInt8]) -> [UInt8]) -> Int {
    let bytes = work(Array(question.prefix(length)))
    result.deallocate()
    result = .allocate(capacity: max(1, bytes.count))
    _ = result.update(fromContentsOf: bytes)
    return bytes.count
  }
}
