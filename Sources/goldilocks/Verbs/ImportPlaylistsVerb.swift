import ExactText
import RunReports
import ScenarioFormat
import SimulatedPlayback
import StreamingMedia
import VirtualTime

extension Option {
  fileprivate static let output = Option(
    name: "output", short: "o", valueName: "file",
    help: "File for the scenario, which must not exist yet; the playlists are "
      + "named as seen from there. (default: standard output)")
}

extension Verb {
  static let importPlaylists = Verb(
    name: "import", subject: "hls",
    overview: "Turn the playlists of a stream into a scenario.",
    discussion: [
      "Writes a scenario that points at the playlists, on a link that is fast enough for the best "
        + "variant; the link, the script and what is expected are there to be changed. Sizes of "
        + "segments are those of byte ranges, else of EXT-X-BITRATE, else of the declared average, "
        + "else of the declared peak; which it is, is said on standard error with everything "
        + "unusual in the playlists.",
      "Playlists without an end are played live: a part is there at the start, and the rest "
        + "is published as time goes on, as their tags say.",
      "Media playlists are found by the references of the multivariant playlist.",
    ],
    positionals: [
      Positional(
        name: "playlist", help: "A multivariant playlist, a media playlist alone, or a folder.")
    ],
    options: [.output, .allowPath],
    examples: ["import hls film/main.m3u8 --output film.json"]
  ) { (invocation) throws(Failure) in try PlaylistImport(invocation).perform() }
}

private struct PlaylistImport {
  private let console: Console
  private let path: String
  private let output: String?
  /// Folders in which the playlists, and the files they name, may lie.
  private let folders: [String]

  init(_ invocation: Invocation) throws(Failure) {
    console = invocation.console
    path = invocation.positionals[0]
    output = invocation.value(of: .output)
    try OutputFiles.keepApart([.output], of: invocation)
    try OutputFiles.keepWhatIsThere(output)
    if path == "-" {
      throw invocation.refusal(
        "Playlists cannot come from standard input: there is nothing beside it.")
    }
    let own = try InputFiles.isFolder(path) ? path : folderPart(of: path)
    folders = [own.isEmpty ? "." : own] + invocation.values(of: .allowPath)
  }

  func perform() throws(Failure) -> ExitCode {
    let target = InputFile(path: output ?? "scenario.json", relativePath: "scenario.json")
    let place = output ?? InputFile.ofStandardOutput
    // The path from a folder is known once that is there; one to which nothing comes goes again.
    let made = try OutputFiles.makeFolder(of: output ?? "")
    defer { OutputFiles.remove(made) }
    let reference = try place.map { (place) throws(Failure) in
      try pathSeen(from: folderPart(of: place))
    }
    // Read first to know the media, then as it is written: what is written can be read.
    let seen = output == nil ? path : reference ?? path
    let draft = try scenario(PlaylistScenario(playlists: seen).bytes, target)
    guard case .stream(let settings) = draft.item.source else {
      preconditionFailure("playlists make a stream")
    }
    func bytes(_ playlists: String) -> [UInt8] {
      PlaylistScenario(playlists: playlists, presentation: settings.presentation).bytes
    }
    tell(try scenario(bytes(seen), target), settings.presentation)
    noteFolder(of: place)
    if let output {
      try OutputFiles.write(bytes(reference ?? path), to: output)
    } else {
      try console.write(bytes(reference ?? path))
    }
    return .success
  }

  private func scenario(_ bytes: [UInt8], _ target: InputFile) throws(Failure) -> Scenario {
    var file = target
    file.furtherFolders = folders
    let references = References(of: file)
    do throws(DocumentError) {
      return try readScenario(bytes, file: target.path) { references.read($0) }
    } catch {
      var failure = Failure(
        .wrongInput,
        // The cause of an error in the generated scenario is in the playlists at `path`.
        details: error.diagnostics.filter { $0.file == target.path }.map { diagnostic in
          "\(path): \(diagnostic.message)"
            + (diagnostic.expected.map { " (expected \($0))" } ?? "")
        } + references.remarks,
        "\(inQuotes(path)) cannot be played.")
      failure.diagnostics = error.diagnostics.filter { $0.file != target.path }
      for index in failure.diagnostics.indices { failure.diagnostics[index].path = .root }
      failure.source = (target.path, [])
      failure.read = { name in try? InputFile(path: name, relativePath: name).read() }
      throw failure
    }
  }

  /// Says on standard error what was read, and what is unusual in it.
  private func tell(_ scenario: Scenario, _ presentation: Presentation) {
    console.say(shown("\(path): \(PlaylistScenario.words(presentation))") + "\n")
    let live = ImportedLive(presentation)
    if let live { console.say(shown("\(path): \(live.words)") + "\n") }
    let lengths = presentation.variants.map { presentation.lists[$0.list].duration }
    if let least = lengths.min(), let most = lengths.max(), most - least >= .seconds(1) {
      let words = [least, most].map { shownSpan($0.nanoseconds) }
      console.say(shown("\(path): note: variants last \(words[0]) to \(words[1])") + "\n")
    }
    let end = live == nil ? "is played as far as it goes" : "ends with its last segment"
    let open = scenario.files.filter { file in
      let context = PlaylistContext(uri: file.path)
      let playlist = try? Playlist.read(Array(file.text.utf8), in: context).playlist
      if case .media(let media)? = playlist { return !media.hasEnd }
      return false
    }
    let unended = open.map { (place: $0.path, message: "without EXT-X-ENDLIST; it \(end)") }
    let remarks = presentation.liveTags.remarks.map { (place: $0.uri, message: $0.message) }
    for note in remarks.prefix(20) + scenario.notes.prefix(20) + unended {
      console.say(shown("\(note.place): note: \(note.message)") + "\n")
    }
  }

  /// Notes the option without which `run` refuses playlists outside the scenario's folder.
  private func noteFolder(of place: String?) {
    guard let playlists = try? resolvedPath(path) else { return }
    let near = [".", folderPart(of: place ?? "") + "."].compactMap { try? resolvedPath($0) }
    if near.contains(where: { (playlists + "/").hasPrefix($0 + "/") }) { return }
    console.say(
      shown("note: '--allow-path \(folders[0])' lets the scenario be run from here") + "\n")
  }

  /// The path as a file in a folder has to write it.
  private func pathSeen(from folder: String) throws(Failure) -> String {
    if path.utf8.first == UInt8(ascii: "/") { return path }
    return relativePath(
      to: try InputFiles.resolved(path, called: folder),
      try InputFiles.resolved(folder.isEmpty ? "." : folder, called: folder))
  }
}

/// A scenario that plays playlists on a link that is fast enough.
private struct PlaylistScenario {
  let playlists: String
  var presentation: Presentation?

  var bytes: [UInt8] {
    let document: JSONTree = [
      "scenario": .string(lastPart(of: playlists)),
      "about": .string(presentation.map { "Plays \(Self.words($0))." } ?? "Plays playlists."),
      "horizon": horizon.map { .string("\($0) s") },
      "link": ["bandwidth": .string("\(bandwidth) bit/s"), "delay": "25 ms"],
      "media": ["hls": ["playlists": .string(playlists), "live": live?.document]],
      "script": [["at": "0 s", "do": "play"]],
      "expect": [
        [
          // Playlists that are shorter than what a player wants ahead may well run dry.
          Figure.stalls.name: live == nil ? .whole(0) : nil,
          "end": "finished",
        ]
      ],
    ]
    return document.fileText
  }

  private var live: ImportedLive? { presentation.flatMap { ImportedLive($0) } }

  /// Twice what the best variant needs at its peak, in bit/s.
  private var bandwidth: Int64 {
    let peaks =
      presentation?.variants.map { variant in
        max(variant.attributes.bandwidth, presentation?.lists[variant.list].peakBitRate ?? 0)
      } ?? []
    return 2 * min(max(peaks.max() ?? 0, 500_000), 500_000_000_000)
  }

  /// Horizon in seconds, where the default of an hour is too short.
  private var horizon: Int64? {
    guard let presentation else { return nil }
    let seconds = presentation.duration.nanoseconds / 1_000_000_000
    return seconds > 3_000 ? seconds + seconds / 5 : nil
  }

  static func words(_ presentation: Presentation) -> String {
    let rates = presentation.variants.map { $0.attributes.bandwidth }
    var text = counted(Int64(presentation.variants.count), "variant")
    if let low = rates.min(), let high = rates.max() {
      let (low, high) = (shownRate(.bitsPerSecond(low)), shownRate(.bitsPerSecond(high)))
      text += low == high ? " of \(high)" : " of \(low) to \(high)"
    }
    if presentation.sizeReport?.variantSources == [.assumed] {
      text += " (assumed: no bit rate is declared)"
    }
    text += ", " + shownSpan(presentation.duration.nanoseconds)
    let audio = presentation.renditions.filter { $0.attributes.kind == .audio }.count
    if audio > 0 { text += ", " + counted(Int64(audio), "audio rendition") }
    return text + (presentation.sizeReport.map { ", " + $0.words } ?? "")
  }
}
