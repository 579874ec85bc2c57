import ExactText
import ScenarioFormat
import ScenarioRunner
import StreamingMedia

extension JSONWriter {
  /// Writes the members of the answer of a check of two playlists, with every reason.
  package mutating func gaplessReport(_ report: GaplessReport) {
    key("gapless")
    string(report.verdict)
    key("strictness")
    switch report.strictness {
    case .strict: string("strict")
    case .lenient: string("lenient")
    }
    for (name, side) in [("first", report.first), ("second", report.second)] {
      key(name)
      beginObject()
      key("file")
      string(side.file)
      key("notRead")
      strings(side.missing)
      endObject()
    }
    key("variants")
    beginArray()
    for departure in report.boundary.departures { write(departure, of: report) }
    endArray()
  }

  private mutating func strings(_ texts: [String]) {
    beginArray()
    for text in texts { string(text) }
    endArray()
  }

  private mutating func write(
    _ departure: GaplessBoundary.Departure, of report: GaplessReport
  ) {
    beginObject()
    variantMembers(report, report.first, departure.variant)
    key("gapless")
    boolean(!departure.matches.isEmpty)
    key("continuesWith")
    if let next = departure.continuation {
      beginObject()
      variantMembers(report, report.second, next)
      endObject()
    } else {
      null()
    }
    key("matchingLines")
    beginArray()
    for match in departure.matches {
      integer(Int64(report.second.playlist.variants[match].line))
    }
    endArray()
    key("reasons")
    beginArray()
    for reason in report.reasons(departure) { write(reason) }
    endArray()
    endObject()
  }

  private mutating func variantMembers(
    _ report: GaplessReport, _ side: PlaylistSide, _ variant: Int
  ) {
    let attributes = side.playlist.variants[variant]
    key("line")
    integer(Int64(attributes.line))
    key("uri")
    string(attributes.uri)
    key("resolution")
    text(attributes.resolution.map { "\($0.width)x\($0.height)" })
    key("bandwidth")
    integer(attributes.bandwidth)
    key("audio")
    beginObject()
    let traits = report.traits(side, variant)
    key(AudioTrait.fairPlay.word)
    boolean(traits.usesFairPlay)
    key(AudioTrait.codec.word)
    text(traits.value(of: .codec))
    for (trait, count) in [
      (AudioTrait.channels, traits.channels), (.sampleRate, traits.sampleRate),
      (.bitDepth, traits.bitDepth),
    ] {
      key(trait.word)
      if let count { integer(count) } else { null() }
    }
    endObject()
  }

  private mutating func write(_ reason: GaplessReport.Reason) {
    beginObject()
    key("trait")
    string(reason.trait.word)
    key("prevents")
    boolean(reason.prevents)
    for (name, declaration) in [("first", reason.first), ("second", reason.second)] {
      key(name)
      beginObject()
      key("value")
      text(declaration.value)
      key("line")
      if let line = declaration.line { integer(Int64(line)) } else { null() }
      endObject()
    }
    endObject()
  }

  private mutating func text(_ text: String?) {
    if let text { string(text) } else { null() }
  }
}
