import LinkConditioner
import VirtualTime

/// What a link takes from a file that a scenario names.
struct LinkTracePart {
  var trace: LinkTrace
  /// What the file says beside the bandwidth: a profile's conditions, or the loss of a recording.
  var conditions: LinkConditions
  /// Nil where the file holds profiles.
  var schedule: RateSchedule?
}

/// Decodes a recorded link, given the files that can be read.
struct LinkTraceDecoding {
  let shelf: FileShelf

  func part(_ node: DocumentNode) -> LinkTracePart? {
    node.object { object in
      let file = object.required("file", as: shelf.file)
      let options = options(&object)
      let profile = object.optional("profile", as: Decode.nonEmptyText)
      guard let file, let options else { return nil }
      let imported: Imported
      do throws(ImportError) {
        imported = try Imported(Array(file.text.utf8), options: options)
      } catch {
        object.refuse(key: "file", quotation(of: file.path) + ", " + error.description)
        return nil
      }
      switch imported {
      case .trace(let recording): return part(recording, of: file, beside: profile, &object)
      case .profiles(let profiles): return part(profiles, profile, of: file, &object)
      }
    }
  }

  private func options(_ object: inout DocumentObject) -> ImportOptions? {
    let format = object.optional(
      "format", as: Decode.choice(TraceFormat.allCases.map { (word: $0.name, value: $0) }))
    let interval = object.optional(
      "interval",
      as: Decode.choice([("starts", TraceReading.Interval.starts), ("ends", .ends)]))
    let ending = object.optional("then", as: Decode.scheduleEnding)
    let clock = object.optional("clock", as: Decode.scheduleClock)
    let payload = object.optional(
      "payload",
      as: Decode.checked(Decode.lossRatio, expected: "more than 0 %, and at most 100 %") {
        !$0.isNone
      })
    var options = ImportOptions(format: format, interval: interval, ending: ending, clock: clock)
    if let payload { options.payload = (payload.numerator, payload.denominator) }
    return options
  }

  private func part(
    _ recording: ImportedTrace, of file: ScenarioFile, beside profile: String?,
    _ object: inout DocumentObject
  ) -> LinkTracePart? {
    if profile != nil {
      object.refuse(
        key: "profile", "\(quotation(of: file.path)) holds no profiles",
        expected: "a property list of the Network Link Conditioner beside it")
    }
    return LinkTracePart(
      trace: LinkTrace(
        file: file.path, format: recording.format, reading: recording.reading,
        notes: recording.notes),
      conditions: recording.conditions, schedule: recording.schedule)
  }

  /// The profile that is meant: the one that is named, or the first.
  private func part(
    _ profiles: [ImportedProfile], _ name: String?, of file: ScenarioFile,
    _ object: inout DocumentObject
  ) -> LinkTracePart? {
    let chosen =
      name.map { name in profiles.first { isSameText($0.name, name) } }
      ?? profiles.first
    guard let chosen else {
      object.refuse(
        key: "profile",
        "\(quotation(of: file.path)) has no profile \(quotation(of: name ?? ""))",
        expected: alternatives(profiles.map { $0.name }))
      return nil
    }
    return LinkTracePart(
      trace: LinkTrace(file: file.path, format: .networkLinkConditioner, reading: nil),
      conditions: chosen.conditions, schedule: nil)
  }
}

extension Decode {
  static func scheduleEnding(_ node: DocumentNode) -> RateSchedule.Ending? {
    choice([("hold", .holds), ("repeat", .loops)])(node)
  }

  static func scheduleClock(_ node: DocumentNode) -> RateSchedule.Clock? {
    choice([("wall", .wall), ("pausedDuringLatency", .pausedDuringLatency)])(node)
  }
}
