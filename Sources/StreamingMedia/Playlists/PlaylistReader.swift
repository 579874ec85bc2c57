/// Makes a playlist of one kind of its lines, one at a time.
protocol PlaylistReader {
  /// The scope of the tags that belong to the other kind.
  static var otherScope: TagScope { get }

  var state: PlaylistState { get set }

  init(state: PlaylistState)

  mutating func readURI(_ line: PlaylistLine)
  mutating func read(_ tag: PlaylistTag, _ line: PlaylistLine)
  mutating func finish() -> Playlist
}

extension PlaylistReader {
  /// Reads all lines, or as many as it takes to say why the playlist is refused.
  static func read(
    _ lines: [PlaylistLine], _ state: PlaylistState
  ) throws(PlaylistRefusal) -> PlaylistReading {
    var reader = Self(state: state)
    for line in lines where !reader.state.journal.isFull {
      guard let tag = line.tag else {
        reader.readURI(line)
        continue
      }
      if reader.state.accept(tag, line, not: otherScope) { reader.read(tag, line) }
    }
    let playlist = reader.finish()
    let journal = reader.state.journal
    if !journal.faults.isEmpty { throw PlaylistRefusal(faults: journal.faults) }
    return PlaylistReading(playlist: playlist, remarks: journal.remarks)
  }
}
