import ExactText
import RunReports
import StreamingMedia

extension Option {
  fileprivate static let lenient = Option(
    name: "lenient",
    help: "Let sample rate and bit depth differ: Apple says only that these may inhibit it.")
}

extension Verb {
  static let checkGapless = Verb(
    name: "check", subject: "gapless",
    overview: "Say whether one stream can follow another without a gap, and what prevents it.",
    discussion: [
      "For every variant of the first multivariant playlist: the variants of the second whose "
        + "sound has the same traits (use of FairPlay, audio codec, channels, sample rate, bit "
        + "depth), the one that a queue plays first, and where none matches, the trait that "
        + "differs and the line that declares it.",
      "Media playlists beside the two are read for their keys. Playlists do not show edit lists "
        + "for the frames that an encoder adds. Ends with 0 if every variant can be followed "
        + "without a gap, with 1 if not, and with 66 if that depends on a missing playlist.",
    ],
    positionals: [
      Positional(name: "first", help: "A multivariant playlist, or - for standard input."),
      Positional(name: "second", help: "The multivariant playlist that is played after it."),
    ],
    options: [.lenient, .format, .allowPath],
    examples: ["check gapless intro/main.m3u8 film/main.m3u8"]
  ) { (invocation) throws(Failure) in
    let first = try playlistSide(invocation.positionals[0], invocation)
    let second = try playlistSide(invocation.positionals[1], invocation)
    let report = GaplessReport(
      first, second, strictness: invocation.has(.lenient) ? .lenient : .strict)
    try invocation.answer(report.document, orText: report.text(style: invocation.console.style))
    if report.verdict == "unknown" { return .missingInput }
    return report.verdict == "always" ? .success : .different
  }
}

/// A multivariant playlist with the media playlists beside it that can be read.
private func playlistSide(
  _ path: String, _ invocation: Invocation
) throws(Failure) -> PlaylistSide {
  let file = try InputFile(path: path, relativePath: path).allowed(by: invocation)
  let references = References(of: file)
  guard case .multivariant(let playlist) = try readPlaylist(file, try file.read()) else {
    throw Failure(
      .wrongInput, "\(file.title) is a media playlist; variants are in the multivariant playlist.")
  }
  if playlist.variants.isEmpty { throw Failure(.wrongInput, "\(file.title) has no variant.") }
  // Perf: each variant is compared with each of the other stream: 10 million pairs take 1 s.
  if max(playlist.variants.count, playlist.renditions.count) > 1_000 {
    throw Failure(.wrongInput, "\(file.title) has more than 1,000 variants or renditions.")
  }
  var media: [String: MediaPlaylist] = [:]
  for uri in playlist.mediaPlaylists(from: "") {
    // Playlists on a server are not read.
    guard let name = URIReference(uri).filePath, let bytes = references.read(name) else { continue }
    let part = InputFile(path: file.path(of: name), relativePath: name)
    if case .media(let playlist) = try readPlaylist(part, bytes) { media[uri] = playlist }
  }
  for remark in references.remarks { invocation.console.say(remark + "\n") }
  return PlaylistSide(file: file.title, playlist, media: media, base: "")
}

private func readPlaylist(_ file: InputFile, _ bytes: [UInt8]) throws(Failure) -> Playlist {
  do throws(PlaylistRefusal) {
    return try Playlist.read(bytes).playlist
  } catch {
    let lines = error.description(file: file.title).split(separator: "\n").map { String($0) }
    throw Failure(
      .wrongInput, details: lines,
      "\(file.title) is refused: \(counted(Int64(lines.count), "fault")).")
  }
}
