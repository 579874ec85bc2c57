package enum Playlist: Hashable, Sendable {
  case multivariant(MultivariantPlaylist)
  case media(MediaPlaylist)

  /// Reads a playlist of RFC 8216 or of its successor draft.
  ///
  /// Faults that the RFC asks a client to refuse are thrown, all that were found; faults that it
  /// asks a client to ignore, and harmless ones, become remarks.
  package static func read(
    _ bytes: [UInt8], in context: PlaylistContext = .init(), limits: PlaylistLimits = .standard
  ) throws(PlaylistRefusal) -> PlaylistReading {
    var journal = PlaylistJournal(limits: limits)
    let lines = journal.lines(of: bytes)
    let state = PlaylistState(context: context, journal: journal)
    switch kind(of: lines) {
    case .multivariantPlaylist:
      let (playlist, remarks) = try MultivariantPlaylistReader.read(lines, state)
      return PlaylistReading(playlist: .multivariant(playlist), remarks: remarks)
    case .mediaPlaylist:
      let (playlist, remarks) = try MediaPlaylistReader.read(lines, state)
      return PlaylistReading(playlist: .media(playlist), remarks: remarks)
    case .eitherPlaylist:
      if journal.faults.isEmpty { journal.fault(.neitherKind, line: 1) }
      throw PlaylistRefusal(faults: journal.faults)
    }
  }

  // §4.1: "A Playlist is a Media Playlist if all URI lines in the Playlist identify Media Segments.
  // A Playlist is a Multivariant Playlist if all URI lines in the Playlist identify Media
  // Playlists. A Playlist MUST be either […]; all other Playlists are invalid."
  /// Kind of the playlist, by the first tag that belongs to one kind only.
  private static func kind(of lines: [PlaylistLine]) -> TagScope {
    lines.lazy.compactMap { $0.tag?.scope }.first { $0 != .eitherPlaylist } ?? .eitherPlaylist
  }
}

/// A playlist with what its author should know about it.
package struct PlaylistReading: Hashable, Sendable {
  package var playlist: Playlist
  package var remarks: [PlaylistRemark]
}
