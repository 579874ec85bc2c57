/// The hash behind a digest: SHA-256 as FIPS 180-4 defines it.
package struct SHA256: Sendable {
  private var state = State(
    a: 0x6a09_e667, b: 0xbb67_ae85, c: 0x3c6e_f372, d: 0xa54f_f53a,
    e: 0x510e_527f, f: 0x9b05_688c, g: 0x1f83_d9ab, h: 0x5be0_cd19)
  private var pending: [UInt8] = []
  private var length: UInt64 = 0

  package init() {}

  package mutating func update(_ bytes: ArraySlice<UInt8>) {
    length += UInt64(bytes.count)
    var rest = bytes
    if !pending.isEmpty {
      let missing = rest.prefix(64 - pending.count)
      pending += missing
      rest = rest.dropFirst(missing.count)
      if pending.count < 64 { return }
      compress(pending[...])
      pending.removeAll(keepingCapacity: true)
    }
    let whole = rest.prefix(rest.count / 64 * 64)
    if !whole.isEmpty { compress(whole) }
    pending += rest.dropFirst(whole.count)
  }

  /// The hash of everything so far, as 64 hexadecimal digits.
  package mutating func finish() -> String {
    let bits = length &* 8
    update([0x80])
    while pending.count != 56 { update([0]) }
    update(withUnsafeBytes(of: bits.bigEndian) { ArraySlice($0) })
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for word in state.words {
      for shift in stride(from: 28, through: 0, by: -4) {
        text.append(digits[Int((word >> UInt32(shift)) & 15)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func compress(_ blocks: ArraySlice<UInt8>) {
    var state = state
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      SHA256.constants.withUnsafeBufferPointer { constants in
        blocks.withUnsafeBytes { blocks in
          // Neither buffer is empty.
          guard let schedule = schedule.baseAddress, let constants = constants.baseAddress
          else { return }
          for start in stride(from: 0, to: blocks.count, by: 64) {
            SHA256.expand(blocks, from: start, into: schedule)
            state.mix(schedule, constants)
          }
        }
      }
    }
    self.state = state
  }

  // Each rotation continues the one before, not the original word as in FIPS 180-4: fewer steps.
  // Shifts are masked and loops are plain, since a debug build does not inline generic functions.
  private static func expand(
    _ blocks: UnsafeRawBufferPointer, from start: Int, into schedule: UnsafeMutablePointer<UInt32>
  ) {
    var word = 0
    while word < 16 {
      let bytes = blocks.loadUnaligned(fromByteOffset: start + 4 * word, as: UInt32.self)
      schedule[word] = bytes.bigEndian
      word += 1
    }
    while word < 64 {
      let (a, b) = (schedule[word - 15], schedule[word - 2])
      var s0 = (a &>> 11 | a &<< 21) ^ a
      s0 = (s0 &>> 7 | s0 &<< 25) ^ (a &>> 3)
      var s1 = (b &>> 2 | b &<< 30) ^ b
      s1 = (s1 &>> 17 | s1 &<< 15) ^ (b &>> 10)
      schedule[word] = schedule[word - 16] &+ s0 &+ schedule[word - 7] &+ s1
      word += 1
    }
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]

  /// The eight words that a block changes.
  private struct State: Sendable {
    var a, b, c, d, e, f, g, h: UInt32

    var words: [UInt32] { [a, b, c, d, e, f, g, h] }

    mutating func mix(_ schedule: UnsafePointer<UInt32>, _ constants: UnsafePointer<UInt32>) {
      var (a, b, c, d) = (a, b, c, d)
      var (e, f, g, h) = (e, f, g, h)
      var word = 0
      // The words change places from round to round, and stand where they stood after eight.
      while word < 64 {
        let (inputs, keys) = (schedule + word, constants + word)
        State.round(a, b, c, &d, e, f, g, &h, inputs[0] &+ keys[0])
        State.round(h, a, b, &c, d, e, f, &g, inputs[1] &+ keys[1])
        State.round(g, h, a, &b, c, d, e, &f, inputs[2] &+ keys[2])
        State.round(f, g, h, &a, b, c, d, &e, inputs[3] &+ keys[3])
        State.round(e, f, g, &h, a, b, c, &d, inputs[4] &+ keys[4])
        State.round(d, e, f, &g, h, a, b, &c, inputs[5] &+ keys[5])
        State.round(c, d, e, &f, g, h, a, &b, inputs[6] &+ keys[6])
        State.round(b, c, d, &e, f, g, h, &a, inputs[7] &+ keys[7])
        word += 8
      }
      (self.a, self.b, self.c, self.d) = (self.a &+ a, self.b &+ b, self.c &+ c, self.d &+ d)
      (self.e, self.f, self.g, self.h) = (self.e &+ e, self.f &+ f, self.g &+ g, self.h &+ h)
    }

    @inline(__always)
    private static func round(
      _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32,
      _ g: UInt32, _ h: inout UInt32, _ input: UInt32
    ) {
      var s1 = (e &>> 14 | e &<< 18) ^ e
      s1 = (s1 &>> 5 | s1 &<< 27) ^ e
      h = h &+ (s1 &>> 6 | s1 &<< 26) &+ (g ^ (e & (f ^ g))) &+ input
      d = d &+ h
      var s0 = (a &>> 9 | a &<< 23) ^ a
      s0 = (s0 &>> 11 | s0 &<< 21) ^ a
      h = h &+ (s0 &>> 2 | s0 &<< 30) &+ (b ^ ((a ^ b) & (b ^ c)))
    }
  }
}
