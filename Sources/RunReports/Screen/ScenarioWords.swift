import ExactText
import LinkConditioner
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

struct ScenarioWords {
  let scenario: Scenario
  let heuristic: String
  var gaps: [FieldGap] = []

  var facts: [Fact] {
    [
      Fact("link", link), Fact("media", media),
      Fact("heuristic", gaps.contains(.decisions) ? "unknown" : heuristic),
    ]
  }

  private var link: String {
    let plan = scenario.link
    var words: [String] = []
    if let schedule = plan.schedule {
      let name = plan.trace.map { "the recording \($0.file)" } ?? "a schedule of bandwidths"
      let steps = counted(Int64(schedule.steps.count), "step")
      let ending = schedule.ending == .loops ? "then again" : "then its last value"
      words.append("\(name): \(steps) in \(shownSpan(schedule.length.nanoseconds)), \(ending)")
    } else {
      words.append(bandwidth(plan.conditions.downlink.bandwidth))
    }
    words += Self.delays(plan.conditions) + Self.losses(plan.conditions)
    var text = (plan.profile.map { $0 + ": " } ?? "") + joined(words, by: ", ")
    if !plan.isSwitchedOn { text += "; switched off at the start" }
    if !plan.outages.isEmpty { text += "; " + counted(Int64(plan.outages.count), "outage") }
    return text
  }

  private func bandwidth(_ bandwidth: Bandwidth) -> String {
    switch bandwidth {
    case .unlimited: return "unlimited"
    case .limited(let rate):
      if rate.isZero { return "nothing gets through" }
      return shownRate(rate) + share(of: rate)
    }
  }

  /// The link's rate as a share of the media's bit rate; empty below 0.1 and above 10.
  private func share(of rate: BitRate) -> String {
    guard case .progressive(let file) = scenario.item.source else { return "" }
    let media = file.averageBitRate
    let share =
      Int128(rate.numerator) * Int128(media.denominator) * 1_000
      / (Int128(rate.denominator) * Int128(media.numerator))
    if !(100...10_000).contains(share) { return "" }
    return " (\(decimal(Int64(share), of: 3, places: 3)) of the media's)"
  }

  static func delays(_ conditions: LinkConditions) -> [String] {
    let roundTrip = conditions.downlink.delay + conditions.uplink.delay
    var words: [String] = []
    if roundTrip > .zero { words.append(shownSpan(roundTrip.nanoseconds) + " round trip") }
    if conditions.dnsDelay > .zero {
      words.append(shownSpan(conditions.dnsDelay.nanoseconds) + " for a name")
    }
    return words
  }

  static func losses(_ conditions: LinkConditions) -> [String] {
    let (down, up) = (conditions.downlink.loss, conditions.uplink.loss)
    if down == up { return down.isNone ? [] : [percent(down) + " loss each way"] }
    return (down.isNone ? [] : [percent(down) + " loss"])
      + (up.isNone ? [] : [percent(up) + " loss on the uplink"])
  }

  private static func percent(_ loss: LossRatio) -> String {
    let millionths = scaled(loss.numerator, by: 1_000_000, over: loss.denominator, rounding: .down)
    return decimal(millionths, of: 4, places: 2) + " %"
  }

  private var media: String {
    switch scenario.item.source {
    case .local(let file): words("local file", file)
    case .progressive(let file): words("progressive file", file)
    case .stream(let settings):
      words(settings.presentation) + (settings.live.map { words($0, settings.presentation) } ?? "")
    }
  }

  private func words(_ kind: String, _ file: MediaFile) -> String {
    var text = kind + ", " + shownSpan(file.duration.nanoseconds)
    text += file.map.corners.count > 2 ? ", on average " : ", "
    text += shownRate(file.averageBitRate) + " (" + shownBytes(file.bytes) + ")"
    if file.headAtomPosition == .end { text += ", head atom at the end" }
    return text
  }

  /// The live window of a stream, its parts and its encoder stops.
  private func words(_ live: LiveStream, _ presentation: Presentation) -> String {
    var text =
      switch live.window {
      case .growing: "; live, an event"
      case .sliding(let length): "; live, a window of " + shownSpan(length.nanoseconds)
      }
    if live.parts != nil, let part = presentation.lists.first?.partDuration {
      text += " in parts of " + shownSpan(part.nanoseconds)
    }
    if !live.stops.isEmpty { text += ", " + counted(Int64(live.stops.count), "encoder stop") }
    return text
  }

  private func words(_ presentation: Presentation) -> String {
    let rates = presentation.variants.map { $0.attributes.bandwidth }
    let audio = presentation.renditions.filter { $0.attributes.kind == .audio }.count
    var text = "HTTP Live Streaming, " + shownSpan(presentation.duration.nanoseconds)
    text += ", " + counted(Int64(rates.count), "variant")
    if let low = rates.min(), let high = rates.max() {
      text += " of " + shownRate(.bitsPerSecond(low))
      if low < high { text += " to " + shownRate(.bitsPerSecond(high)) }
    }
    if let report = presentation.sizeReport { text += ", " + report.words }
    if audio > 0 { text += ", " + counted(Int64(audio), "audio rendition") }
    return text
  }
}

extension SizeReport {
  /// The playlists' sources of segment sizes; several where their segments differ.
  package var words: String {
    func listed(_ sources: [SizeSource]) -> String { enumeration(sources.map { $0.word }) }
    var text = "sizes by \(listed(variantSources.isEmpty ? [.gap] : variantSources))"
    if !audioSources.isEmpty, audioSources != variantSources {
      text += " (audio: \(listed(audioSources)))"
    }
    return text
  }
}
