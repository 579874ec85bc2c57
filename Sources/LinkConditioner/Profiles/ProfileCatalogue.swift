extension Profile {
  // Perf: a catalogue is made when a name is first looked for in it.
  private static let catalogues: [@Sendable () -> [Profile]] = [
    { networkLinkConditioner }, { talk }, { networkLinkConditionerLion }, { xcode }, { chrome },
    { chromeLegacy }, { webPageTest }, { augmentedTrafficControl }, { comcast }, { androidOld },
    { androidNew }, { browserStack }, { google },
  ]

  /// Every profile, catalogue by catalogue; where names are alike the earlier one is meant.
  package static let all = catalogues.flatMap { $0() }

  /// The profile of that name, alone ("3G") or with its catalogue ("WebPageTest 3G"), whatever its
  /// case, spacing and punctuation.
  package static func named(_ name: String) -> Profile? {
    let wanted = folded(name)
    for catalogue in catalogues {
      if let profile = catalogue().first(where: { folded($0.name) == wanted }) { return profile }
    }
    return all.first { folded($0.qualifiedName) == wanted }
  }

  /// The names that `named` answers to, each once: plain where the plain name means this profile,
  /// else with the catalogue.
  package static let names: [String] = all.enumerated().map { index, profile in
    let plain = folded(profile.name)
    let isFirst = !all[..<index].contains { folded($0.name) == plain }
    return isFirst ? profile.name : profile.qualifiedName
  }

  /// Small letters and digits alone: "Wi-Fi 802.11ac" is "wifi80211ac", and "3G+" is no "3G".
  private static func folded(_ name: String) -> [UInt8] {
    name.utf8.compactMap { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
      case 0x80..., UInt8(ascii: "+"): byte
      default: nil
      }
    }
  }
}
