import ExactText
import StreamingMedia
import VirtualTime

struct PlaylistDecoding {
  let shelf: FileShelf

  private static let usualNames = [
    "master.m3u8", "main.m3u8", "multivariant.m3u8", "index.m3u8", "playlist.m3u8",
  ]

  /// The presentation of a multivariant playlist, of a media playlist alone, or of a folder.
  func presentation(_ node: DocumentNode) -> Presentation? {
    guard let file = master(node), let playlist = read(file, node) else { return nil }
    let presentation: Presentation?
    switch playlist {
    case .media(let media):
      presentation = Presentation(media, uri: file.path, bytes: Int64(file.text.utf8.count))
    case .multivariant(let playlist): presentation = self.presentation(playlist, file, node)
    }
    guard var presentation, isPlayable(presentation, file, node) else { return nil }
    // Nothing is added to playlists that lie in files.
    for index in presentation.lists.indices { presentation.lists[index].isComplete = true }
    return presentation
  }

  /// The file that is named, or the multivariant playlist in the folder that is named.
  private func master(_ node: DocumentNode) -> ScenarioFile? {
    guard let path = Decode.nonEmptyText(node) else { return nil }
    let isFolder = path.utf8.last == UInt8(ascii: "/")
    let folder = isFolder ? path : path + "/"
    for candidate in (isFolder ? [] : [path]) + Self.usualNames.map({ folder + $0 }) {
      if let file = shelf.open(candidate, node) { return file }
      if shelf.has(candidate) { return nil }
    }
    return node.refuse(
      "the playlist \(quotation(of: path)) cannot be read",
      expected: "a path that begins where the scenario lies, to a playlist or to a folder with a "
        + Self.usualNames[0])
  }

  private func read(
    _ file: ScenarioFile, _ node: DocumentNode, in context: PlaylistContext? = nil
  ) -> Playlist? {
    let text = Array(file.text.utf8)
    do throws(PlaylistRefusal) {
      let reading = try Playlist.read(text, in: context ?? .init(uri: file.path))
      for remark in reading.remarks {
        shelf.note(remark.message, of: file.path, at: remark.place.title(in: file.path))
      }
      guard case .media(let media) = reading.playlist, let skip = media.skip else {
        return reading.playlist
      }
      // §6.3.7: a delta update is merged with "its previous version of the Playlist".
      return node.refuse(
        file: file.path, line: Int(skip.line),
        "EXT-X-SKIP leaves out \(counted(skip.count, "segment")) that no playlist here has "
          + "(§4.4.5.2)",
        expected: "the whole playlist, as it is without _HLS_skip")
    } catch {
      for fault in error.faults {
        node.refuse(
          file: file.path, line: Int(fault.place.line ?? 1), column: fault.column(in: text),
          "\(fault.message) (\(fault.clause))")
      }
      return nil
    }
  }

  private func presentation(
    _ playlist: MultivariantPlaylist, _ file: ScenarioFile, _ node: DocumentNode
  ) -> Presentation? {
    var media: [String: LoadedPlaylist] = [:]
    var isComplete = true
    for (uri, line) in playlist.references {
      let target = resolvedURI(uri, against: file.path)
      if media[target] != nil { continue }
      media[target] = child(uri, target, at: line, of: playlist, file, node)
      if media[target] == nil { isComplete = false }
    }
    if !isComplete { return nil }
    if playlist.variants.isEmpty {
      return node.refuse(
        file: file.path, line: 1, "the multivariant playlist has no variants",
        expected: "an EXT-X-STREAM-INF with its URI")
    }
    return try? Presentation(
      playlist, uri: file.path, bytes: Int64(file.text.utf8.count), media: media)
  }

  private func child(
    _ uri: String, _ target: String, at line: Int, of playlist: MultivariantPlaylist,
    _ file: ScenarioFile, _ node: DocumentNode
  ) -> LoadedPlaylist? {
    guard let path = URIReference(target).filePath else {
      return node.refuse(
        file: file.path, line: line, "\(quotation(of: uri)) is no file here",
        expected: "a reference to a playlist that lies beside this one")
    }
    guard let child = shelf.open(path, node) else {
      if shelf.has(path) { return nil }
      return node.refuse(
        file: file.path, line: line, "the playlist \(quotation(of: uri)) cannot be read",
        expected: "a file at \(quotation(of: path))")
    }
    switch read(child, node, in: PlaylistContext(uri: target, imports: playlist.variables)) {
    case .media(let media): return LoadedPlaylist(media, bytes: Int64(child.text.utf8.count))
    case .multivariant:
      return node.refuse(
        file: file.path, line: line, "\(quotation(of: uri)) is a multivariant playlist",
        expected: "a media playlist")
    case nil: return nil
    }
  }

  private func isPlayable(
    _ presentation: Presentation, _ file: ScenarioFile, _ node: DocumentNode
  ) -> Bool {
    func refuse(
      in path: String? = nil, line: Int = 1, _ message: String, _ expected: String
    ) -> Bool {
      node.refuse(file: path ?? file.path, line: line, message, expected: expected)
      return false
    }
    if presentation.duration <= .zero {
      return refuse("the playlists have no segments", "at least one segment to play")
    }
    if presentation.duration > ScenarioLimits.longestMedia {
      return refuse("the playlists are too long", "at most 30 days")
    }
    let segments = presentation.lists.reduce(0) { $0 + Int64($1.segments.count) }
    if segments > ScenarioLimits.mostSegments {
      return refuse(
        "the playlists have too many segments",
        "at most \(ScenarioLimits.mostSegments) in all of them together")
    }
    for list in presentation.lists {
      let most = ScenarioLimits.mostBytes
      guard let large = list.segments.firstIndex(where: { $0.bytes > most }) else { continue }
      let path = URIReference(list.uri).filePath ?? file.path
      return refuse(
        in: path, line: line(of: large, in: path), "a segment is too large",
        "at most the rate of a link")
    }
    return true
  }

  private func line(of segment: Int, in path: String) -> Int {
    guard let file = shelf.open(path),
      case .media(let media)? = try? Playlist.read(Array(file.text.utf8)).playlist,
      media.segments.indices.contains(segment)
    else { return 1 }
    return Int(media.segments[segment].line)
  }
}

extension MultivariantPlaylist {
  /// The media playlists that it names, with the lines on which it does.
  fileprivate var references: [(uri: String, line: Int)] {
    var all: [(uri: String, line: Int)] = variants.map { ($0.uri, Int($0.line)) }
    all += renditions.compactMap { row in row.uri.map { ($0, Int(row.line)) } }
    return all.sorted { $0.line < $1.line }
  }
}
