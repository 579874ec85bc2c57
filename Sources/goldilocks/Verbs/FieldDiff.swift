import ExactText
import Recording
import RunReports
import ScenarioRunner
import SimulatedPlayback
import VirtualTime

struct FieldDiff {
  let comparison: FieldComparison
  /// Titles of the two traces, that of the field session first.
  let files: [String]

  /// Nil where neither trace, or both, are of a field session.
  init?(_ traces: [[UInt8]], _ files: [InputFile]) throws(Failure) {
    let areOfField = traces.map { isFieldRecording($0) }
    guard areOfField[0] != areOfField[1] else { return nil }
    let order = areOfField[0] ? [0, 1] : [1, 0]
    self.files = order.map { files[$0].title }
    let outcomes = try order.map { (place) throws(Failure) in
      try rethrowing(try report(on: traces[place], file: files[place].title).outcome) {
        (error: ReplayError) in Failure(error, in: files[place].title)
      }
    }
    comparison = FieldComparison(field: outcomes[0], run: outcomes[1])
  }

  private var otherVariants: Int { comparison.pairs.count { $0.field.variant != $0.run.variant } }

  private var requests: String {
    if !comparison.knowsRequests { return "unknown in the field" }
    return "\(comparison.pairs.count) in both, \(comparison.fieldAlone.count) in the field alone, "
      + "\(comparison.runAlone.count) in the run alone; \(otherVariants) of another variant"
  }

  /// A number of requests: nil where the log does not tell of any.
  private func whole(_ count: Int) -> JSONTree {
    comparison.knowsRequests ? .whole(count) : .null
  }

  var text: String {
    func seconds(_ span: TimeSpan?, or word: String) -> String {
      span.map { exactSeconds($0.nanoseconds) } ?? word
    }
    var text = """
      \(shown(files[0])) (field) against \(shown(files[1]))

      requests  \(requests)

      """
    if let share = comparison.requestShare {
      text +=
        "          the run explains \(percent(share)) of the "
        + "\(exactSeconds(comparison.fieldTime.nanoseconds)) that they took\n"
    }
    // Those that differ most, in the order of time.
    let worst = comparison.pairs.filter { $0.error >= .milliseconds(1) }
      .sorted { $0.error > $1.error }.prefix(5)
    for pair in worst.sorted(by: { $0.field.requested < $1.field.requested }) {
      let media = pair.field.media.map { " from \(exactSeconds($0.lowerBound.nanoseconds))" } ?? ""
      text +=
        "          at \(exactSeconds(pair.field.requested.nanoseconds))"
        + (pair.field.track.map { " \($0.rawValue)" } ?? "")
        + " \(pair.field.resource?.rawValue ?? "file")\(media): "
        + "\(exactSeconds(pair.field.length.nanoseconds)) in the field, "
        + "\(seconds(pair.run.ended.map { _ in pair.run.length }, or: "no end")) in the run\n"
    }
    text +=
      "startup   \(seconds(comparison.startup.field, or: "unknown")) in the field, "
      + "\(seconds(comparison.startup.run, or: "none")) in the run\n"
      + "stalls    \(comparison.stallCount.field.map { "\($0)" } ?? "unknown") in the field, "
      + "\(comparison.stallCount.run) in the run"
    if let share = comparison.stallShare {
      text += "; the run explains \(percent(share)) of the stalled time"
    }
    text += "\n"
    for stall in comparison.stalls {
      text +=
        "          at \(exactSeconds(stall.place.nanoseconds)) of the media: "
        + "\(seconds(stall.field, or: "none")) in the field, "
        + "\(seconds(stall.run, or: "none")) in the run\n"
    }
    return text
  }

  var document: JSONTree {
    [
      "same": .boolean(comparison.isExplained), "field": .string(files[0]),
      "run": .string(files[1]), "matchedRequests": whole(comparison.pairs.count),
      "requestsInFieldAlone": whole(comparison.fieldAlone.count),
      "requestsInRunAlone": whole(comparison.runAlone.count),
      "otherVariants": whole(otherVariants),
      "explainedRequestTime": comparison.requestShare.map { .decimal($0, places: 6) },
      "explainedStallTime": comparison.stallShare.map { .decimal($0, places: 6) },
      "startupDelaySeconds": [
        "field": .seconds(comparison.startup.field?.nanoseconds),
        "run": .seconds(comparison.startup.run?.nanoseconds),
      ],
      "stallCount": [
        "field": .whole(comparison.stallCount.field),
        "run": .whole(comparison.stallCount.run),
      ],
      "stalls": .list(comparison.stalls) { stall in
        [
          "mediaSeconds": .seconds(stall.place.nanoseconds),
          "field": .seconds(stall.field?.nanoseconds), "run": .seconds(stall.run?.nanoseconds),
        ]
      },
    ]
  }

  private func percent(_ millionths: Int64) -> String {
    "\(millionths / 10_000).\(millionths / 1_000 % 10) %"
  }
}
