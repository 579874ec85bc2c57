import VirtualTime

// The tags of §4.4.3 and §4.4.5 that say something about the whole playlist.

extension MediaPlaylistReader {
  // §4.4.3.1: "#EXT-X-TARGETDURATION:<s> where s is a decimal-integer indicating the Target
  // Duration in seconds."
  mutating func readTargetDuration(_ line: PlaylistLine) {
    guard let seconds = state.integer(line) else { return }
    // Six of them and more are added up, so that thirty years are as far as it goes.
    if seconds > 1_000_000_000 {
      return state.fault(.outOfRange, line)
    }
    if seconds == 0 {
      return state.fault(.malformedValue(expected: "a positive number of seconds"), line)
    }
    playlist.targetDuration = .seconds(seconds)
  }

  // §4.4.3.2 and §4.4.3.3: the tag "MUST appear before the first Media Segment".
  /// A number that leaves room to count on from it.
  mutating func sequenceNumber(_ line: PlaylistLine) -> Int64 {
    if !playlist.segments.isEmpty { state.remark(.lateTag, line) }
    guard let number = state.integer(line) else { return 0 }
    if number <= Int64.max / 2 { return number }
    state.fault(.outOfRange, line)
    return 0
  }

  mutating func readType(_ line: PlaylistLine) {
    playlist.type = PlaylistType(rawValue: String(decoding: line.text, as: UTF8.self))
    // §6.3.1: what is not recognised is ignored.
    if playlist.type == nil {
      state.remark(.tagIgnored("the type is EVENT or VOD"), line)
    }
  }

  mutating func readPartInformation(_ line: PlaylistLine) {
    var list = AttributeList(line, state: &state)
    let target = list.decimal("PART-TARGET", places: 9, .required)
    if state.accept(list) { playlist.partTarget = target.map(MediaTime.init(nanoseconds:)) }
  }

  mutating func readServerControl(_ line: PlaylistLine) {
    var list = AttributeList(line, state: &state)
    let control = ServerControl(
      canBlockReload: list.flag("CAN-BLOCK-RELOAD"),
      canSkipUntil: list.mediaTime("CAN-SKIP-UNTIL"),
      canSkipDateRanges: list.flag("CAN-SKIP-DATERANGES"),
      holdBack: list.mediaTime("HOLD-BACK"),
      partHoldBack: list.mediaTime("PART-HOLD-BACK"))
    if state.accept(list) { playlist.serverControl = control }
  }

  mutating func readSkip(_ line: PlaylistLine) {
    var list = AttributeList(line, state: &state)
    let count = list.integer("SKIPPED-SEGMENTS", .required)
    _ = list.quoted("RECENTLY-REMOVED-DATERANGES")
    guard state.accept(list), let count else { return }
    playlist.skip = SkippedSegments(count: count, line: line.number)
  }

  mutating func readPreloadHint(_ line: PlaylistLine) {
    var list = AttributeList(line, state: &state)
    let kind = list.enumerated("TYPE", as: PreloadHint.self, .required)
    let uri = list.quoted("URI", .required)
    _ = list.integer("BYTERANGE-START")
    _ = list.integer("BYTERANGE-LENGTH")
    guard state.accept(list, after: playlist.preloadHints.count, of: "preload hints"),
      let kind, uri != nil
    else { return }
    playlist.preloadHints.append(kind)
  }

  mutating func readRenditionReport(_ line: PlaylistLine) {
    var list = AttributeList(line, state: &state)
    let uri = list.quoted("URI", .required)
    let last = list.integer("LAST-MSN")
    let part = list.integer("LAST-PART")
    guard state.accept(list, after: playlist.renditionReports.count, of: "rendition reports"),
      let uri
    else { return }
    playlist.renditionReports.append(
      RenditionReport(uri: uri, lastMediaSequence: last, lastPart: part))
  }

  mutating func readDateRange(_ line: PlaylistLine) {
    var list = AttributeList(line, state: &state)
    _ = list.quoted("ID", .required)
    let kind = list.quoted("CLASS")
    _ = list.date("START-DATE")
    let end = list.date("END-DATE")
    let duration = list.mediaTime("DURATION")
    _ = list.mediaTime("PLANNED-DURATION")
    let endsOnNext = list.flag("END-ON-NEXT")
    _ = list.quoted("CUE")
    list.takeClientAttributes()
    guard state.accept(list, after: playlist.dateRangeClasses.count, of: "date ranges")
    else { return }
    // §4.4.5.1: with END-ON-NEXT there must be a CLASS, and neither DURATION nor END-DATE.
    if endsOnNext, kind == nil || duration != nil || end != nil {
      state.remark(
        .rule("END-ON-NEXT needs CLASS and goes with neither DURATION nor END-DATE"), line)
    }
    // Appendix D.
    let interstitial = "com.apple.hls.interstitial"
    if kind == interstitial, !playlist.dateRangeClasses.contains(interstitial) {
      state.remark(.notSimulated("interstitials play nothing"), line)
    }
    playlist.dateRangeClasses.append(kind)
  }
}

extension AttributeList {
  mutating func mediaTime(_ name: String) -> MediaTime? {
    decimal(name, places: 9).map(MediaTime.init(nanoseconds:))
  }

  mutating func date(_ name: String) -> Int64? {
    guard let text = quoted(name) else { return nil }
    let date = calendarInstant(Array(text.utf8)[...])
    if date == nil { remark(.malformedAttribute(name, expected: "a date and time")) }
    return date
  }
}
