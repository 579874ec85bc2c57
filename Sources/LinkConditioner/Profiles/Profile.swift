import VirtualTime

/// Named conditions that others have published, with where they come from.
package struct Profile: Hashable, Sendable {
  package enum Catalogue: String, Hashable, Sendable, CaseIterable {
    case networkLinkConditioner = "NLC"
    case networkLinkConditionerLion = "NLC Lion"
    case talk = "WWDC"
    case xcode = "Xcode"
    case chrome = "Chrome"
    case chromeLegacy = "DevTools"
    case webPageTest = "WebPageTest"
    case augmentedTrafficControl = "ATC"
    case comcast = "Comcast"
    case androidOld = "Android 5"
    case androidNew = "Android"
    case browserStack = "BrowserStack"
    case google = "WebRTC"
  }

  /// The kind of delay that the source states. A link has one-way delays; where a source states a
  /// round trip, or does not say, each way has half.
  package enum StatedDelay: Hashable, Sendable {
    case oneWay
    case roundTrip
    case notStated
  }

  package enum Downlink: Hashable, Sendable {
    case fixed(Bandwidth)
    /// So many thousandths of the media's average bit rate.
    case relativeToMedia(thousandths: Int64)
  }

  package let name: String
  package let catalogue: Catalogue
  package let downlink: Downlink
  /// Everything else; its downlink is unlimited where the profile's is relative.
  package let base: LinkConditions
  package let statedDelay: StatedDelay
  /// Points that public sources do not agree on or do not state; nil where those found agree.
  package let disagreement: String?

  init(
    _ catalogue: Catalogue, _ name: String, _ base: LinkConditions, downlink: Downlink? = nil,
    delay: StatedDelay, disagreement: String?
  ) {
    self.catalogue = catalogue
    self.name = name
    self.base = base
    self.downlink = downlink ?? .fixed(base.downlink.bandwidth)
    self.statedDelay = delay
    self.disagreement = disagreement
  }

  /// The name with its catalogue's before it, which no other profile has.
  package var qualifiedName: String { "\(catalogue.rawValue) \(name)" }
}

extension Profile.Catalogue {
  package var provenance: String {
    switch self {
    case .networkLinkConditioner:
      "Network Link Conditioner presets, as public scripts and guides that agree quote them"
    case .networkLinkConditionerLion:
      "Network Link Conditioner presets of the Lion era, as WebRTC's emulate.py lists them"
    case .talk: "Advances in AVFoundation Playback: the on-stage demo, calibrated on its screens"
    case .xcode: "Xcode 11 device conditions: identifiers published, numbers as the like preset"
    case .chrome: "Chrome DevTools NetworkManager.ts and puppeteer's predefined conditions"
    case .chromeLegacy: "Chrome DevTools before 2018 and Firefox's throttling profiles"
    case .webPageTest: "WebPageTest connectivity.ini.sample"
    case .augmentedTrafficControl: "facebook/augmented-traffic-control, utils/profiles"
    case .comcast: "tylertreat/comcast, README"
    case .androidOld: "Android 5.1.1 emulator, android-constants.c"
    case .androidNew: "Android emulator, -help text, converted from KiB/s"
    case .browserStack: "BrowserStack documentation, sample of its network profiles"
    case .google: "WebRTC tools/network_emulator/emulate.py, its three generic rows"
    }
  }
}

extension BitRate {
  /// A multiple, rounded down to a thousandth of a bit per second where it would be too fine.
  func scaled(_ numerator: Int64, over denominator: Int64, finest: Int64) -> BitRate {
    if numerator == denominator, self.denominator <= finest { return self }
    let top = Int128(self.numerator) * Int128(numerator)
    let bottom = Int128(self.denominator) * Int128(denominator)
    if let top = Int64(exactly: top), let bottom = Int64(exactly: bottom) {
      let exact = BitRate(bitsPerSecond: top, over: bottom)
      if exact.denominator <= finest { return exact }
    }
    let thousandths = quotient(top * 1_000, bottom, rounding: .down)
    return BitRate(bitsPerSecond: Int64(clamping: thousandths), over: 1_000)
  }
}
