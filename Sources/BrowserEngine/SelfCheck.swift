import VirtualTime

/// Answers with text that is the same on every machine whose arithmetic is right.
///
/// A web page has our own 128-bit helpers (see `BrowserRuntime`); a build for the machine at hand
/// has the compiler's. The two answers to one seed are compared in CI.
func selfCheck(seed: [UInt8]) -> [UInt8] {
  var draws = Draws(seed: seed)
  var text = "goldilocks self-check\n"
  text += "seed bytes \(seed.count)\n"
  text += "scaled     \(digest(of: &draws, scaledNumber))\n"
  text += "quotients  \(digest(of: &draws, wideQuotient))\n"
  text += "products   \(digest(of: &draws, wideProduct))\n"
  text += "shifts     \(digest(of: &draws, wideShift))\n"
  text += "arrivals   \(digest(of: &draws, arrival))\n"
  text += "positions  \(digest(of: &draws, position))\n"
  return Array(text.utf8)
}

private func digest(of draws: inout Draws, _ step: (inout Draws) -> Int128) -> UInt64 {
  var sum = Checksum()
  for _ in 0..<20_000 {
    sum.add(step(&draws))
  }
  return sum.value
}

private func scaledNumber(_ draws: inout Draws) -> Int128 {
  let divisor = max(1, draws.sized() & .max)
  let rounding: Rounding = draws.next() & 1 == 0 ? .down : .up
  return Int128(scaled(draws.sized(), by: draws.sized(), over: divisor, rounding: rounding))
}

private func wideQuotient(_ draws: inout Draws) -> Int128 {
  let dividend = draws.wide()
  let divisor = draws.wide()
  if divisor == 0 || divisor == -1 { return dividend }
  let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
  let (upper, rest) = UInt128(truncatingIfNeeded: dividend)
    .quotientAndRemainder(dividingBy: UInt128(truncatingIfNeeded: divisor))
  return quotient ^ (remainder << 1) ^ Int128(truncatingIfNeeded: upper ^ (rest << 2))
}

private func wideProduct(_ draws: inout Draws) -> Int128 {
  let (a, b) = (draws.wide(), draws.wide())
  let (product, overflow) = a.multipliedReportingOverflow(by: b)
  return overflow ? ~product : product
}

private func wideShift(_ draws: inout Draws) -> Int128 {
  let value = draws.wide()
  let count = Int(draws.next() & 127)
  let logical = UInt128(truncatingIfNeeded: value) >> count
  return (value << count) ^ (value >> count) ^ Int128(truncatingIfNeeded: logical)
}

private func arrival(_ draws: inout Draws) -> Int128 {
  let rate = BitRate(
    bitsPerSecond: Int64(draws.next() >> 34), over: 1 + Int64(draws.next() >> 44))
  let flow = ByteFlow(anchor: .zero, bytes: Int64(draws.next() >> 40), rate: rate)
  return Int128(flow.instant(reaching: Int64(draws.next() >> 30)).nanoseconds)
}

private func position(_ draws: inout Draws) -> Int128 {
  let rate = PlaybackRate(Int32(draws.next() >> 50), over: 1 + Int32(draws.next() >> 50))
  let timebase = Timebase(rate: rate)
  let time = timebase.time(at: Instant(nanoseconds: Int64(draws.next() >> 4)))
  return Int128(time.nanoseconds) + Int128(timebase.instant(reaching: time).nanoseconds)
}
