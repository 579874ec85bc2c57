/// The source of a block that can fill a seat: a row for each.
///
/// The rows stand beside the rules that they speak of.
package struct BlockSource: Hashable, Sendable {
  /// As a scenario names it.
  package var name: String
  /// The description of a block that is a word alone; the keys of the others describe them.
  package var about: String?
  package var source: String
  package var confidence: PolicyPreset.Confidence

  init(
    _ name: String, _ source: String, _ confidence: PolicyPreset.Confidence, about: String? = nil
  ) {
    self.name = name
    self.about = about
    self.source = source
    self.confidence = confidence
  }

  package static func named(_ name: String) -> BlockSource? { all.first { $0.name == name } }

  package static let all = readiness + beliefs + variants

  private static let beliefs = [
    BlockSource("line", "ours, for runs that are to be worked out with a pencil", .assumed),
    BlockSource("history", "Chromium since the beginning; the least of two means is ours", .copy),
    BlockSource("samples", "Media3, hls.js, dash.js, Shaka and VHS, each with its own", .source),
  ]
}
