/// Numbers for the self-check: SplitMix64, seeded with any bytes.
struct Draws {
  private var state: UInt64

  init(seed: [UInt8]) {
    var sum = Checksum()
    for byte in seed {
      sum.add(byte)
    }
    state = sum.value
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number of any magnitude: small ones are as likely as large ones.
  mutating func sized() -> Int64 {
    let shift = next() & 63
    return Int64(bitPattern: next()) >> shift
  }

  /// As `sized`, with up to 128 bits.
  mutating func wide() -> Int128 {
    let shift = next() & 127
    return (Int128(Int64(bitPattern: next())) << 64 | Int128(next())) >> shift
  }
}

/// FNV-1a over 64 bits.
struct Checksum {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  mutating func add(_ number: Int128) {
    var rest = number
    for _ in 0..<16 {
      add(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }
}
