/// The generator splitmix64: every state has one successor and every output occurs once.
///
/// It turns a seed with little in it, such as 1, into the state of a larger generator.
/// Reference: https://prng.di.unimi.it/splitmix64.c
package struct SplitMix64: Hashable, Sendable {
  private var state: UInt64

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word &>> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word &>> 31)
  }
}

/// The hash FNV-1a of 64 bits over a text's UTF-8, which is the same everywhere and always.
///
/// Reference: draft-eastlake-fnv, The FNV Non-Cryptographic Hash Algorithm
package func fnv1a(_ text: String) -> UInt64 {
  var text = text
  return text.withUTF8 { fnv1a($0, after: 0xCBF2_9CE4_8422_2325) }
}

/// The same hash of further bytes, behind those that gave a hash already.
package func fnv1a(_ bytes: UnsafeBufferPointer<UInt8>, after hash: UInt64) -> UInt64 {
  var hash = hash
  for byte in bytes {
    hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }
  return hash
}
