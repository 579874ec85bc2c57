import SystemLibrary
import ExactText
import PageFiles
import RunReports
import ScenarioFormat
import ScenarioRunner

/// The page of a command, from its runs to its file.
struct PageOutput {
  private let path: String
  private let console: Console
  private let files: PageTexts
  /// Whether the page is shown in a browser, and its address told.
  private let isShown: Bool
  private var page = RunPage()
  private var inputs: [InputFile] = []

  /// Nil where no page is asked for.
  init?(_ invocation: Invocation) throws(Failure) {
    let folder = environmentVariable("TMPDIR") ?? P_tmpdir
    let isShown = invocation.verb.name == Verb.play.name
    let aside = isShown ? "\(folder)/goldilocks-\(getpid()).html" : nil
    guard let path = invocation.value(of: .html) ?? aside else {
      if invocation.has(.engine) {
        throw invocation.refusal("'--engine' requires '--html'.")
      }
      return nil
    }
    (self.path, self.isShown, console) = (path, isShown, invocation.console)
    try OutputFiles.keepApart([(.html, path)])
    var module = Self.bytes(page_file_engine())
    if let engine = invocation.value(of: .engine) {
      let file = InputFile(path: engine, relativePath: engine)
      try OutputFiles.keep([file], from: path, of: .html)
      module = try file.read()
      let isModule = module.starts(with: [0, 0x61, 0x73, 0x6D])
      if !isModule, !module.starts(with: [0x1F, 0x8B]) {
        throw Failure(
          .wrongInput,
          "\(inQuotes(engine)) is neither a WebAssembly module nor a gzipped one.")
      }
    }
    files = PageTexts(
      style: Self.bytes(page_file_style()), script: Self.bytes(page_file_script()),
      engine: module.isEmpty ? nil : (Self.bytes(page_file_worker()), module))
  }

  private static func bytes(_ file: page_file) -> [UInt8] {
    Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }

  /// Refuses to write the page over something that is read.
  func keep(_ inputs: [InputFile]) throws(Failure) {
    try OutputFiles.keep(inputs, from: path, of: .html)
  }

  mutating func add(_ run: FinishedRun) {
    let scenario = run.loaded.scenario
    add(
      run.loaded, run.outcome, policy: scenario.wordsOfPolicy(under: run.heuristic),
      remark: run.lack.map { "The trace \($0)." } ?? "",
      isRunnable: run.heuristic == nil && scenario.policyCommands.isEmpty)
  }

  mutating func add(
    _ loaded: LoadedScenario, _ outcome: RunOutcome, name: String? = nil, policy: String,
    problems: [String] = [], remark: String = "", isRunnable: Bool = true,
    resilience: [Resilience] = []
  ) {
    // They are looked for only where the page could overwrite them.
    if isSameFile(path, path) { inputs += loaded.inputs }
    page.add(
      loaded.scenario, outcome, name: name ?? loaded.file.inCell(loaded.scenario.name),
      policy: policy, problems: problems, remark: remark,
      isRunnable: isRunnable && loaded.file.commandPatience == nil, resilience: resilience)
  }

  func write() throws(Failure) {
    if page.isEmpty { return console.say("note: no page: there was no run\n") }
    try keep(inputs)
    try write(page.bytes(files))
  }

  func write(_ comparison: ComparisonPage) throws(Failure) { try write(comparison.bytes(files)) }

  private func write(_ bytes: [UInt8]) throws(Failure) {
    try OutputFiles.write(bytes, to: path)
    if isShown { try show() }
    guard let engine = files.engine else {
      return console.say("note: the page has no engine; '--engine' puts one in\n")
    }
    let sizes = (shownBytes(Int64(bytes.count)), shownBytes(Int64(engine.module.count)))
    console.say("note: the page of \(sizes.0) holds an engine of \(sizes.1)\n")
  }

  /// Prints the address of the page, and opens it where there is a desktop.
  private func show() throws(Failure) {
    guard let resolved = realpath(path, nil) else { return }
    defer { free(resolved) }
    var address = "file://"
    for byte in String(cString: resolved).utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        byte < 0x80 && (scalar.properties.isAlphabetic || (0x2D...0x39).contains(byte))
        || byte == UInt8(ascii: "_")
      address += isPlain ? String(scalar) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    try console.write(address + "\n")
    #if os(macOS)
      _ = system("open \(address)")
    #else
      let isDesktop =
        environmentVariable("DISPLAY") != nil || environmentVariable("WAYLAND_DISPLAY") != nil
      if isDesktop { _ = system("xdg-open \(address) >/dev/null 2>&1 &") }
    #endif
  }
}
