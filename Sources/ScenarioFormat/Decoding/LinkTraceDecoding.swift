import ExactText
import LinkConditioner
import VirtualTime

/// The part of a link that a file named by the scenario provides.
struct LinkTracePart {
  var trace: LinkTrace
  /// Conditions besides the bandwidth: those of a profile, or the loss of a recording.
  var conditions: LinkConditions
  /// Nil where the file holds profiles.
  var schedule: RateSchedule?
}

enum LinkTraceDecoding {
  static func part(_ node: DocumentNode) -> LinkTracePart? {
    LinkTraceDescription.keys.read(node, LinkTraceDescription()) { part, object in
      guard let file = part.file.flatMap(object.node.shelf.file) else { return nil }
      let imported: Imported
      do throws(ImportError) {
        imported = try object.node.shelf.kept.imported(file, part.options)
      } catch {
        let text = Array(file.text.utf8)
        return part.file?.refuse(
          file: file.path, line: error.line, column: error.column(in: text),
          error.problem.description)
      }
      switch imported {
      case .trace(let recording):
        return Self.part(recording, of: file, beside: part, &object)
      case .profiles(let profiles): return Self.part(profiles, part.profile, of: file, &object)
      }
    }
  }

  private static func part(
    _ recording: ImportedTrace, of file: ScenarioFile, beside part: LinkTraceDescription,
    _ object: inout DocumentObject
  ) -> LinkTracePart? {
    if part.profile != nil {
      object.refuse(
        key: "profile", "\(quotation(of: file.path)) holds no profiles",
        expected: "a property list of the Network Link Conditioner beside it")
    }
    var schedule = recording.schedule
    do throws(LinkError) {
      if part.offset != .zero {
        schedule = try RateSchedule(
          steps: schedule.steps, ending: schedule.ending, clock: schedule.clock,
          offset: schedule.offset + part.offset, answersInOutages: schedule.answersInOutages)
      }
    } catch {
      return object.node.refuse(error.description)
    }
    return LinkTracePart(
      trace: LinkTrace(file: file.path, format: recording.format, reading: recording.reading),
      conditions: recording.conditions, schedule: schedule)
  }

  /// The profile that is meant: the one that is named, or the first.
  private static func part(
    _ profiles: [ImportedProfile], _ name: String?, of file: ScenarioFile,
    _ object: inout DocumentObject
  ) -> LinkTracePart? {
    let chosen =
      name.map { name in profiles.first { isSameText($0.name, name) } }
      ?? profiles.first
    guard let chosen else {
      return object.refuse(
        key: "profile",
        "\(quotation(of: file.path)) has no profile \(quotation(of: name ?? ""))",
        expected: alternatives(profiles.map { $0.name }))
    }
    return LinkTracePart(
      trace: LinkTrace(file: file.path, format: .networkLinkConditioner, reading: nil),
      conditions: chosen.conditions, schedule: nil)
  }
}

extension ImportError {
  /// The column of the quoted text in its line; the first column where the error quotes none.
  package func column(in text: [UInt8]) -> Int {
    let quoted: String
    switch problem {
    case .notANumber(let part), .notATime(let part), .noMillisecond(let part),
      .tooManyDigits(let part), .negative(let part), .outOfRange(let part),
      .duplicateKey(let part):
      quoted = part
    case .empty, .table, .unknownFormat, .binaryPropertyList, .columns, .timeGoesBack, .noDuration,
      .missingKey, .unexpected, .nestedTooDeeply, .noProfile, .link:
      return 1
    }
    let wanted = Array(quoted.utf8)
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.indices.contains(line - 1) else { return 1 }
    let bytes = lines[line - 1]
    let start =
      wanted.isEmpty
      ? bytes.split(omittingEmptySubsequences: false) { [0x2C, 0x3B, 9].contains($0) }
        .first { $0.isEmpty }?.startIndex
      : bytes.indices.first { bytes[$0...].starts(with: wanted) }
    // Columns count scalars, of which bytes of this form only go on.
    return start.map { bytes[..<$0].count { $0 & 0xC0 != 0x80 } + 1 } ?? 1
  }
}

struct LinkTraceDescription {
  var file: DocumentNode?
  var options = ImportOptions()
  var profile: String?
  var offset = TimeSpan.zero

  static let keys = KeyTable<Self>(
    "linkTrace", "A file with a recorded link, and how to read it."
  ) {
    Key.required(
      "file", { $0.file = $1 }, .later(.text("traces/tunnel.csv")),
      "Its path from where the scenario lies.")
    Key.optional(
      "format", { $0.options.format = $1 }, Form<TraceFormat>.cases.examples("csv"),
      "Format; by default as the content looks.")
    Key.optional(
      "interval", { $0.options.interval = $1 },
      .words([("starts", TraceReading.Interval.starts), ("ends", .ends)]),
      "Whether a sample's time is where it begins to hold or where it ends.")
    Key.optional(
      "then", { $0.options.ending = $1 }, .scheduleEnding,
      "After the last sample: its value holds, or the trace repeats.")
    Key.optional(
      "clock", { $0.options.clock = $1 }, Form<RateSchedule.Clock>.cases, only: .fluid,
      "Whether its time passes always, or not while a request waits for its response.")
    Key.optional(
      "answers", { $0.options.answersInOutages = $1 }, .words(RateSchedule.answers), only: .fluid,
      "Whether a response may begin during an outage, as in Sabre, or only after "
        + "it.")
    Key.optional(
      "payload", { $0.options.payload = $1 },
      Form<LossRatio>.chance.checked(expected: "more than 0 %, and at most 100 %") { !$0.isNone },
      absent: "100 %", "Payload's share of each rate.")
    Key.optional(
      "offset", { $0.offset = $1 }, .span, absent: "0 s", "Offset into the recording at the start.")
    Key.optional(
      "profile", { $0.profile = $1 }, .text("Hotel Wi-Fi"),
      "Profile's name in a property list of the Network Link Conditioner; by default the first.")
  }
}
