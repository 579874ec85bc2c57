import StreamingMedia

/// The text of a playlist, which a run only counts.
private struct TextSink: PlaylistSink {
  private(set) var text = ""

  mutating func write(_ text: String) { self.text += text }

  mutating func write(_ number: Int64) { text += "\(number)" }
}

extension SegmentList {
  /// The whole media playlist as a server would send it.
  func text() -> String {
    var sink = TextSink()
    write(whole, of: type, withParts: false, to: &sink)
    return sink.text
  }

  /// The playlist of a live stream that slides over these segments.
  ///
  /// - Parameters:
  ///   - skipped: The number of first segments that a delta update leaves out.
  ///   - reports: The progress of the other renditions.
  func liveText(
    _ window: LiveWindow, skipping skipped: Int = 0, reports: [RenditionReport] = []
  ) -> String {
    var sink = TextSink()
    write(window, of: window.type, withParts: hasParts, skipping: skipped, to: &sink)
    for report in reports { report.write(to: &sink) }
    return sink.text
  }
}
