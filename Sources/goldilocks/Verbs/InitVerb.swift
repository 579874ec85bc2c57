import ScenarioFormat

extension Verb {
  static let initialise = Verb(
    name: "init",
    overview: "Write a first scenario as a template.",
    discussion: [
      "Its 'about' has a sentence for each part. Beside it the schema is written, by which editors "
        + "complete and check scenarios. Nothing that is there already is overwritten."
    ],
    positionals: [
      Positional(
        name: "file", help: "File to write, or - for standard output. (default: first.json)",
        count: 0...1)
    ],
    options: [.mediaKind],
    examples: ["init", "init scenarios/film.json --media stream"]
  ) { (invocation) throws(Failure) in
    let path = invocation.positionals.first ?? "first.json"
    let isStream = invocation.value(of: .mediaKind) == "stream"
    let text = isStream ? FirstScenario.stream : FirstScenario.file
    if path == "-" {
      try invocation.console.write(text)
      return .success
    }
    try OutputFiles.keepWhatIsThere(path)
    var files = [(path: path, bytes: Array(text.utf8))]
    let schema = folderPart(of: path) + FirstScenario.schemaName
    if (try? InputFiles.isFolder(schema)) == nil, !OutputFiles.isSpecial(path) {
      files.append((schema, KeyedFile.scenario.schema()))
    }
    try OutputFiles.write(files)
    try invocation.console.write(
      "\(path) is written. Now:\n"
        + "  goldilocks run \(path)    shows what happens\n"
        + "  goldilocks test \(path)   says whether that is what is expected\n")
    return .success
  }
}

extension Option {
  fileprivate static let mediaKind = Option(
    name: "media", valueName: "kind", help: "Kind of media.", values: ["file", "stream"],
    fallback: "file")
}

enum FirstScenario {
  static let schemaName = ".scenario.schema.json"

  static let file = """
    {
      "$schema": "\(schemaName)",
      "scenario": "A first scenario",
      "about": "The link is a little slower than the media, with 40 ms there and back. The media \
    is half a minute of film. The player promises what an app gets that is linked against iOS 18. \
    In the script, play is tapped after a second. It is expected that the player waits until the \
    end can be reached, and then never stalls.",
      "link": { "bandwidth": "1.8 Mbit/s", "delay": "20 ms" },
      "media": { "progressive": { "duration": "30 s", "bitrate": "2 Mbit/s" } },
      "player": { "linkedSDK": "iOS 18" },
      "script": [{ "at": "1 s", "do": "play" }],
      "expect": [
        { "at": { "after": "play", "by": "0.5 s" }, "rate": 1 },
        { "startupDelay": { "atMost": "3 s" } },
        { "\(Figure.stalls.name)": 0 }
      ]
    }

    """

  static let stream = """
    {
      "$schema": "\(schemaName)",
      "scenario": "A first scenario",
      "about": "The link drops out for ten seconds. The media is a stream of two minutes in \
    three variants. The player promises what an app gets that is linked against iOS 18. In the \
    script, play is tapped at once. It is expected that playback begins within three seconds, and \
    that what is buffered lasts through the outage.",
      "link": {
        "bandwidth": "6 Mbit/s", "delay": "20 ms",
        "outages": [ { "from": "30 s", "for": "10 s" } ]
      },
      "media": {
        "hls": {
          "duration": "120 s",
          "segmentDuration": "6 s",
          "ladder": [
            { "bitrate": "600 kbit/s" }, { "bitrate": "1.8 Mbit/s" }, { "bitrate": "4.5 Mbit/s" }
          ]
        }
      },
      "player": { "linkedSDK": "iOS 18" },
      "script": [{ "at": "0 s", "do": "play" }],
      "expect": [
        { "startupDelay": { "atMost": "3 s" } },
        { "\(Figure.stalls.name)": 0 }
      ]
    }

    """
}
