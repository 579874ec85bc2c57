import Foundation

/// A folder of its own for one test, and what the test puts into it.
final class Workplace {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "goldilocks-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  func write(_ text: String, to name: String) throws {
    let file = folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).put(at: file)
  }

  /// A file, a stream and two recorded links, from which studies are made.
  func writeStudy() throws {
    try write(shortScenario(), to: "one.json")
    try write(
      """
      { "scenario": "A stream", "about": "Twenty seconds.", "link": { "bandwidth": "2 Mbit/s" },
        "media": { "hls": { "ladder": [ { "bitrate": "500 kbit/s" }, { "bitrate": "2 Mbit/s" } ],
          "duration": "20 s" } }, "script": [ { "at": "0 s", "do": "play" } ] }
      """, to: "stream.json")
    for (name, text) in [
      ("a.csv", "0,3M\n4,300k\n9,1M\n"), ("b.csv", "0,700k\n5,4M\n"),
      ("README.md", "Two drives.\n"),
    ] {
      try write(text, to: "drives/\(name)")
    }
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
  }

  /// The names of all files below the folder, sorted.
  func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
  }

  /// Runs the command in the folder.
  func run(
    _ arguments: String..., input: String = "", environment: [String: String] = [:]
  ) throws -> CommandRun {
    try run(arguments, input: input, environment: environment)
  }

  func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> CommandRun {
    var command = Command(arguments)
    command.folder = folder
    command.input = Data(input.utf8)
    command.environment = environment
    return try command.run()
  }
}

extension Data {
  /// Writes a file that is gone soon: Foundation's own way waits until it is on the disk.
  func put(at file: URL) throws {
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    try handle.write(contentsOf: self)
    try handle.close()
  }
}

/// A scenario that takes no time to run: four seconds over a link twice as fast as the media.
func shortScenario(name: String = "Short", expecting expectations: String = "") -> String {
  """
  {
    "scenario": "\(name)",
    "about": "A short file.",
    "seed": 7,
    "link": { "bandwidth": "2 Mbit/s" },
    "media": { "progressive": { "duration": "4 s", "bitrate": "1 Mbit/s" } },
    "script": [ { "at": "1 s", "do": "play" } ],
    "expect": [\(expectations)]
  }
  """
}
