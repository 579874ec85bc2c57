import LinkConditioner
import StreamingMedia
import VirtualTime

/// The tracks of a stream that are played together: pictures, sound, subtitles.
///
/// The main track comes first. Playback waits for it and for the sound, and not for subtitles.
struct StreamTracks {
  private var tracks: [StreamTrack] = []
  /// Whether the sound is still to come as far as the picture, and goes on in the main track then.
  var isJoiningSound = false

  init() {}

  init(_ tracks: [StreamTrack]) {
    self.tracks = tracks
  }

  var isEmpty: Bool { tracks.isEmpty }

  var indices: Range<Int> { 0..<tracks.count }

  // Inlined, because each call would set up a coroutine of its own.
  subscript(index: Int) -> StreamTrack {
    @inline(__always) _read { yield tracks[index] }
    @inline(__always) _modify { yield &tracks[index] }
  }

  /// The list of the main track; nil before there are any tracks.
  var mainList: Int? { tracks.isEmpty ? nil : tracks[0].list }

  func index(of kind: TrackKind) -> Int? {
    for index in indices where tracks[index].kind == kind { return index }
    return nil
  }

  /// The track that a request brings something for; nil where it is for none.
  func index(fetching id: TransferID) -> Int? {
    for index in indices where tracks[index].fetchID == id { return index }
    return nil
  }

  func plays(_ list: Int) -> Bool {
    for index in indices where tracks[index].list == list { return true }
    return false
  }

  mutating func add(_ track: StreamTrack) { tracks.append(track) }

  mutating func remove(at index: Int) { tracks.remove(at: index) }

  mutating func removeSubtitles() { tracks.removeAll { $0.kind == .subtitles } }
}

// MARK: - What is there

extension StreamTracks {
  /// The end of the contiguous media that begins at a position, in every track that is needed.
  func loadedEnd(from position: MediaTime) -> MediaTime {
    if tracks.isEmpty { return position }
    var end = MediaTime.distantFuture
    for index in indices where tracks[index].kind != .subtitles {
      if !tracks[index].buffer.contains(position) { return position }
      end = min(end, tracks[index].end)
    }
    return end
  }

  func loadedTimeRanges() -> [Range<MediaTime>] {
    if tracks.isEmpty { return [] }
    var (start, end) = (MediaTime.zero, MediaTime.distantFuture)
    for index in indices where tracks[index].kind != .subtitles {
      start = max(start, tracks[index].start)
      end = min(end, tracks[index].end)
    }
    return start < end ? [start..<end] : []
  }

  /// Whether something of every track that is needed is there.
  var isReady: Bool {
    if tracks.isEmpty { return false }
    for index in indices where tracks[index].kind != .subtitles && tracks[index].buffer.isEmpty {
      return false
    }
    return true
  }

  /// Whether something of a track is under way, or there without its key.
  var isFetching: Bool {
    for index in indices where tracks[index].fetchID != nil { return true }
    return false
  }

  /// Whether bytes of a segment are coming in.
  var isReceiving: Bool {
    for index in indices where tracks[index].isReceiving { return true }
    return false
  }
}

// MARK: - In which track the sound comes

// So that it comes once: beside the pictures, or with them in the main track, as that of a variant
// with the sound muxed in, and of one of sound alone, which is a rendition of its group.

extension StreamTracks {
  /// Lets the sound go on in one track where a new variant has it in another.
  ///
  /// - Parameter beside: The list of the sound that comes beside the new variant's pictures.
  mutating func passSound(to beside: Int?, of lists: [SegmentList]) {
    let audio = index(of: .audio)
    isJoiningSound = audio != nil && beside == nil
    guard audio == nil, let beside else { return }
    // The main track has brought the sound so far, or is about to.
    let end = tracks[0].boundary
    var track = StreamTrack(
      kind: .audio, list: beside, next: lists[beside].next(after: end), at: end)
    track.buffer.reach(from: tracks[0].start)
    tracks.insert(track, at: 1)
  }

  /// Goes on with the main track alone once the sound beside it has come as far.
  ///
  /// - Parameter isSoundAlone: Whether the main track is of sound alone from now on.
  mutating func joinSound(isSoundAlone: Bool, of lists: [SegmentList]) {
    guard let audio = index(of: .audio) else {
      isJoiningSound = false
      return
    }
    if tracks[0].fetchID != nil || tracks[audio].fetchID != nil || !isFarEnough(audio) { return }
    // Where there are pictures, they are needed from where they end, and bring their sound anew.
    if isSoundAlone {
      tracks[0].buffer.reach(to: tracks[audio].end)
      tracks[0].next = lists[tracks[0].list].next(after: tracks[audio].end)
    }
    tracks.remove(at: audio)
    isJoiningSound = false
  }

  /// Whether a track asks for nothing until the sound has come as far as the picture.
  func holdsBack(_ index: Int) -> Bool {
    guard isJoiningSound, tracks[index].fetchID == nil else { return false }
    switch tracks[index].kind {
    case .main: return true
    case .audio: return isFarEnough(index)
    case .subtitles: return false
    }
  }

  private func isFarEnough(_ audio: Int) -> Bool {
    tracks[audio].end >= tracks[0].end && tracks[audio].nextPart == 0
  }
}

extension SegmentList {
  /// The segment that follows what is loaded up to a time.
  func next(after boundary: MediaTime) -> Int {
    firstIndex(startingAtOrAfter: boundary) ?? index(at: boundary) ?? segments.count
  }
}
