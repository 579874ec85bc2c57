import VirtualTime

struct MediaPlaylistReader: PlaylistReader {
  var state: PlaylistState
  var playlist = MediaPlaylist()
  var pending = PendingSegment()
  /// Latest values of the tags that apply until they are replaced.
  var kilobitsPerSecond: Int64?
  var keys: [EncryptionKey] = []
  var keySet: Int32 = 0
  var map: Int32?
  /// The places of the initialization sections that were named so far.
  var mapPlaces: [InitializationSection: Int32] = [:]
  /// The byte ranges that a range without an offset goes on from.
  var lastRange: (uri: String, end: Int64)?
  var lastPartRange: (uri: String, end: Int64)?
  var elapsed: MediaTime = .zero
  /// The line of each segment's EXTINF.
  var durationLines: [Int32] = []

  init(state: PlaylistState) { self.state = state }

  static let otherScope = TagScope.multivariantPlaylist

  mutating func finish() -> Playlist {
    if playlist.targetDuration == .zero, state.journal.faults.isEmpty {
      state.journal.fault(.missingTargetDuration, line: 1)
    }
    if let line = pending.line { state.journal.remark(.segmentTagsWithoutURI, line: line) }
    if playlist.partCount > 0, playlist.partTarget == nil {
      state.journal.fault(.partWithoutPartInformation, line: 1)
    }
    if let line = pending.partLine {
      state.journal.remark(
        .notSimulated("parts after the last segment are not played"), line: line, tag: .part)
    }
    playlist.start = state.start
    judgeDurations()
    judgeServerControl()
    return .media(playlist)
  }

  mutating func read(_ tag: PlaylistTag, _ line: PlaylistLine) {
    switch tag {
    case .version: state.readVersion(line)
    case .start: state.readStart(line)
    case .define: state.readDefine(line)
    case .targetDuration: readTargetDuration(line)
    case .mediaSequence: playlist.mediaSequence = sequenceNumber(line)
    case .discontinuitySequence: playlist.discontinuitySequence = sequenceNumber(line)
    case .endList: playlist.hasEnd = true
    case .playlistType: readType(line)
    case .partInformation: readPartInformation(line)
    case .serverControl: readServerControl(line)
    case .segment: readDuration(line)
    case .byteRange: readByteRange(line)
    case .discontinuity:
      begin(line, repeats: pending.isDiscontinuity)
      pending.isDiscontinuity = true
    case .key: readKey(line)
    case .map: readMap(line)
    case .programDateTime: readProgramDateTime(line)
    case .gap:
      begin(line, repeats: pending.isGap)
      pending.isGap = true
    case .bitRate: kilobitsPerSecond = state.integer(line) ?? kilobitsPerSecond
    case .part: readPart(line)
    case .dateRange: readDateRange(line)
    case .skip: readSkip(line)
    case .preloadHint: readPreloadHint(line)
    case .renditionReport: readRenditionReport(line)
    case .iFramesOnly: state.remark(.notSimulated("I-frames are played as whole segments"), line)
    case .header, .independentSegments, .rendition, .variant, .iFrameVariant, .sessionData,
      .sessionKey, .contentSteering:
      break
    }
  }

  // §4.4.3.1: "The EXTINF duration of each Media Segment in a Playlist file, when rounded to the
  // nearest integer, MUST be less than or equal to the Target Duration."
  private mutating func judgeDurations() {
    let longest = playlist.targetDuration.nanoseconds.addingReportingOverflow(500_000_000)
    if longest.overflow { return }
    for (segment, line) in zip(playlist.segments, durationLines)
    where segment.duration.nanoseconds >= longest.partialValue {
      state.journal.remark(.longerThanTarget, line: line, tag: .segment)
    }
  }

  // §4.4.3.8: HOLD-BACK "MUST be at least three times the Target Duration", PART-HOLD-BACK "MUST be
  // at least twice the Part Target Duration", CAN-SKIP-UNTIL at least six target durations.
  private mutating func judgeServerControl() {
    guard let control = playlist.serverControl else { return }
    let target = Int128(playlist.targetDuration.nanoseconds)
    let partTarget = Int128(playlist.partTarget?.nanoseconds ?? 0)
    func judge(_ value: MediaTime?, atLeast count: Int128, _ unit: Int128, _ rule: String) {
      if let value, Int128(value.nanoseconds) < count * unit {
        state.journal.remark(.rule(rule), line: nil, tag: .serverControl)
      }
    }
    judge(control.holdBack, atLeast: 3, target, "HOLD-BACK is less than three target durations")
    judge(
      control.canSkipUntil, atLeast: 6, target, "CAN-SKIP-UNTIL is less than six target durations")
    judge(
      control.partHoldBack, atLeast: 2, partTarget, "PART-HOLD-BACK is less than two part targets")
    if playlist.partTarget == nil, control.canBlockReload {
      state.journal.remark(
        .notSimulated("CAN-BLOCK-RELOAD without parts"), line: nil, tag: .serverControl)
    }
    if playlist.partTarget != nil, control.partHoldBack == nil {
      state.journal.remark(
        .rule("a playlist with parts needs PART-HOLD-BACK"), line: nil, tag: .serverControl)
    }
  }
}

/// Values of the tags before a URI, which apply to its segment.
struct PendingSegment {
  /// The first line that said something.
  var line: Int32?
  var duration: MediaTime?
  var durationLine: Int32 = 0
  var partLine: Int32?
  var byteRange: ByteRangeText?
  var isDiscontinuity = false
  var isGap = false
  var programDateTime: Int64?
}
