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
    // §4.1: "A Playlist is a Media Playlist if all URI lines in the Playlist identify Media
    // Segments. A Playlist is a Multivariant Playlist if all URI lines in the Playlist identify
    // Media Playlists. A Playlist MUST be either […]; all other Playlists are invalid." The first
    // tag of one kind alone decides.
    switch lines.lazy.compactMap({ $0.tag?.scope }).first(where: { $0 != .eitherPlaylist }) {
    case .multivariantPlaylist: return try MultivariantPlaylistReader.read(lines, state)
    case .mediaPlaylist: return try MediaPlaylistReader.read(lines, state)
    case .eitherPlaylist, nil:
      if journal.faults.isEmpty { journal.fault(.neitherKind, line: 1) }
      throw PlaylistRefusal(faults: journal.faults)
    }
  }
}

/// A playlist with what its author should know about it.
package struct PlaylistReading: Hashable, Sendable {
  package var playlist: Playlist
  package var remarks: [PlaylistRemark]
}
