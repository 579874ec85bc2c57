/// The hash behind a digest: SHA-256 as FIPS 180-4 defines it.
package struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  private var pending: [UInt8] = []
  private var length: UInt64 = 0
  private var schedule = [UInt32](repeating: 0, count: 64)

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
    while rest.count >= 64 {
      compress(rest.prefix(64))
      rest = rest.dropFirst(64)
    }
    pending += rest
  }

  /// The hash of everything so far, as 64 hexadecimal digits.
  package mutating func finish() -> String {
    let bits = length &* 8
    update([0x80])
    while pending.count != 56 { update([0]) }
    var tail: [UInt8] = []
    for shift in stride(from: 56, through: 0, by: -8) {
      tail.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    update(tail[...])
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for word in state {
      for shift in stride(from: 28, through: 0, by: -4) {
        text.append(digits[Int((word >> UInt32(shift)) & 15)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  // Masking shifts and plain loops, since a debug build calls whatever is generic as it stands.
  private mutating func compress(_ block: ArraySlice<UInt8>) {
    var (index, word) = (block.startIndex, 0)
    while word < 16 {
      schedule[word] =
        UInt32(block[index]) &<< 24 | UInt32(block[index + 1]) &<< 16
        | UInt32(block[index + 2]) &<< 8 | UInt32(block[index + 3])
      (index, word) = (index + 4, word + 1)
    }
    while word < 64 {
      let (a, b) = (schedule[word - 15], schedule[word - 2])
      let s0 = (a &>> 7 | a &<< 25) ^ (a &>> 18 | a &<< 14) ^ (a &>> 3)
      let s1 = (b &>> 17 | b &<< 15) ^ (b &>> 19 | b &<< 13) ^ (b &>> 10)
      schedule[word] = schedule[word - 16] &+ s0 &+ schedule[word - 7] &+ s1
      word += 1
    }
    mix()
  }

  private mutating func mix() {
    let constants = SHA256.constants
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    var word = 0
    while word < 64 {
      let s1 = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
      let choice = (e & f) ^ (~e & g)
      let first = h &+ s1 &+ choice &+ constants[word] &+ schedule[word]
      let s0 = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ s0 &+ majority)
      word += 1
    }
    let mixed = [a, b, c, d, e, f, g, h]
    for index in state.indices { state[index] = state[index] &+ mixed[index] }
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
}
