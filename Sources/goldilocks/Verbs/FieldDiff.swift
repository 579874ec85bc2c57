import ExactText
import Recording
import RunReports
import ScenarioRunner
import SimulatedPlayback
import VirtualTime

/// The words and the document of a field session held against a run.
struct FieldDiff {
  let comparison: FieldComparison
  let files: [InputFile]

  /// Nil where neither trace, or both, are of a field session.
  init?(_ traces: [[UInt8]], _ files: [InputFile]) throws(Failure) {
    guard isFieldRecording(traces[0]) != isFieldRecording(traces[1]) else { return nil }
    let order = isFieldRecording(traces[0]) ? [0, 1] : [1, 0]
    self.files = order.map { files[$0] }
    var outcomes: [RunOutcome] = []
    for place in order {
      do throws(ReplayError) {
        outcomes.append(try report(on: traces[place], file: files[place].title).outcome)
      } catch {
        throw Failure(error, in: files[place].title)
      }
    }
    comparison = FieldComparison(field: outcomes[0], run: outcomes[1])
  }

  var code: ExitCode { comparison.isExplained ? .success : .different }

  /// The requests that differ most, in the order of time.
  private var worst: [FieldComparison.Pair] {
    comparison.pairs.filter { $0.error >= .milliseconds(1) }.sorted { $0.error > $1.error }.prefix(
      5
    )
    .sorted { $0.field.requested < $1.field.requested }
  }

  private var otherVariants: Int { comparison.pairs.count { $0.field.variant != $0.run.variant } }

  var text: String {
    func seconds(_ span: TimeSpan?) -> String {
      span.map { exactSeconds($0.nanoseconds) } ?? "unknown"
    }
    var text = """
      \(files[0].title) (field) against \(files[1].title)

      requests  \(comparison.pairs.count) in both, \(comparison.fieldAlone.count) in the field \
      alone, \(comparison.runAlone.count) in the run alone; \(otherVariants) of another variant
                the run explains \(percent(comparison.requestShare)) of the \
      \(seconds(comparison.fieldTime)) that they took

      """
    for pair in worst {
      let media = pair.field.media.map { " of \(exactSeconds($0.lowerBound.nanoseconds))" } ?? ""
      text +=
        "          at \(exactSeconds(pair.field.requested.nanoseconds))"
        + (pair.field.track.map { " \($0.rawValue)" } ?? "")
        + " \(pair.field.resource?.rawValue ?? "file")\(media): "
        + "\(seconds(pair.fieldTime)) in the field, \(seconds(pair.runTime)) in the run\n"
    }
    text +=
      "startup   \(seconds(comparison.startup.field)) in the field, "
      + "\(seconds(comparison.startup.run)) in the run\n"
    text +=
      "stalls    \(comparison.stalls.count), of which the run explains "
      + "\(percent(comparison.stallShare)) of the time\n"
    for stall in comparison.stalls {
      text +=
        "          at \(exactSeconds(stall.place.nanoseconds)) of the media: "
        + "\(stall.field.map { seconds($0) } ?? "none") in the field, "
        + "\(stall.run.map { seconds($0) } ?? "none") in the run\n"
    }
    return text
  }

  var document: JSONTree {
    [
      "same": .boolean(comparison.isExplained), "field": .string(files[0].title),
      "run": .string(files[1].title), "matchedRequests": .whole(comparison.pairs.count),
      "requestsInFieldAlone": .whole(comparison.fieldAlone.count),
      "requestsInRunAlone": .whole(comparison.runAlone.count),
      "otherVariants": .whole(otherVariants),
      "explainedRequestTime": .decimal(comparison.requestShare, places: 6),
      "explainedStallTime": .decimal(comparison.stallShare, places: 6),
      "startupDelaySeconds": [
        "field": .seconds(comparison.startup.field?.nanoseconds),
        "run": .seconds(comparison.startup.run?.nanoseconds),
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
