import Autowait
import ScenarioFormat
import ScenarioRunner

extension TimeControl {
  /// The glyph of the state in a row of the timeline.
  var glyph: String {
    switch self {
    case .paused: "·"
    case .waiting, .awaitingMedia: "░"
    case .playing: "━"
    }
  }

  var tint: Tint {
    switch self {
    case .paused: .paused
    case .waiting, .awaitingMedia: .waiting
    case .playing: .playing
    }
  }
}

/// Bars from nothing to full.
enum LevelBars {
  static let glyphs = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// The bar for a level; whatever is not nothing can be seen.
  static func glyph(_ level: Int64, of most: Int64) -> String {
    if level <= 0 || most <= 0 { return glyphs[0] }
    let eighths = (Int128(level) * 16 / Int128(most) + 1) / 2
    return glyphs[Int(min(max(eighths, 1), 8))]
  }
}
