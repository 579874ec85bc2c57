import RunReports
import ScenarioRunner

// Functions that a web page can call. The WebAssembly module exports each name as it stands here.

/// The page calls one function at a time, on one thread.
nonisolated(unsafe) private var exchange = Exchange()

/// Makes room for `length` bytes of a question and says where.
@_expose(wasm, "goldilocks_reserve")
@_cdecl("goldilocks_reserve")
public func reserve(length: Int32) -> UnsafeMutablePointer<UInt8>? {
  exchange.reserve(Int(length))
}

/// The address of the last answer.
@_expose(wasm, "goldilocks_result")
@_cdecl("goldilocks_result")
public func result() -> UnsafeMutablePointer<UInt8>? {
  exchange.result.baseAddress
}

/// Runs the scenario in the question; says how long its trace is.
@_expose(wasm, "goldilocks_run")
@_cdecl("goldilocks_run")
public func run(length: Int32) -> Int32 {
  Int32(exchange.answer(Int(length), by: runScenario))
}

/// Runs the scenario of a page's question; says how long the answer is.
@_expose(wasm, "goldilocks_page")
@_cdecl("goldilocks_page")
public func answerPage(length: Int32) -> Int32 {
  Int32(exchange.answer(Int(length), by: RunReports.answerPage))
}

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
