// In a web page nothing happens until the page calls one of the exports. Built for the machine at
// hand, the same code prints its self-check, so that the two can be compared.
#if !arch(wasm32)
  print(
    String(decoding: selfCheck(seed: Array("goldilocks".utf8)), as: UTF8.self), terminator: "")
#endif
