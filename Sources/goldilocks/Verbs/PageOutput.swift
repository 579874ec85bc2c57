import SystemLibrary
import PageFiles
import RunReports
import ScenarioFormat
import ScenarioRunner

struct PageOutput {
  private let path: String
  /// Whether the page lies in a folder of its own, which is made when it is written.
  private let isAside: Bool
  private let console: Console
  private let files: PageTexts
  /// Whether the page is shown in a browser, and its address told.
  private let isShown: Bool
  private var page = RunPage()
  private var inputs: [InputFile] = []

  /// Nil where no page is asked for.
  init?(_ invocation: Invocation) throws(Failure) {
    let isShown = invocation.verb.name == Verb.play.name
    isAside = isShown && !invocation.has(.html)
    let aside = (environmentVariable("TMPDIR") ?? P_tmpdir) + "/goldilocks-XXXXXX"
    guard let path = invocation.value(of: .html) ?? (isShown ? aside : nil) else {
      if !invocation.has(.engine) { return nil }
      throw invocation.refusal("'--engine' requires '--html'.")
    }
    (self.path, self.isShown, console) = (path, isShown, invocation.console)
    try OutputFiles.keepApart([.html], of: invocation)
    var module = Self.bytes(page_file_engine())
    if let engine = invocation.value(of: .engine) {
      let file = InputFile(path: engine, relativePath: engine)
      try OutputFiles.keep([file], from: path, of: .html)
      module = try file.read()
      if !module.starts(with: [0, 0x61, 0x73, 0x6D]), !module.starts(with: [0x1F, 0x8B]) {
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

  func keep(_ inputs: [InputFile]) throws(Failure) {
    try OutputFiles.keep(inputs, from: path, of: .html)
  }

  mutating func add(_ run: FinishedRun) {
    let scenario = run.loaded.scenario
    add(
      run.loaded, run.outcome, policy: scenario.wordsOfPolicy(under: run.heuristic),
      remark: run.lack.map { "The trace \($0)." } ?? "",
      isRunnable: run.fieldSource == nil && run.heuristic == nil && scenario.policyCommands.isEmpty)
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

  func write(_ comparison: ComparisonPage) throws(Failure) {
    var files = files
    files.script += Self.bytes(page_file_comparison())
    try write(comparison.bytes(files))
  }

  private func write(_ bytes: [UInt8]) throws(Failure) {
    var path = path
    if isAside, let folder = strdup(path) {
      // At a name that can be known before, somebody else may have put a link.
      _ = mkdtemp(folder)
      path = String(cString: folder) + "/page.html"
      free(folder)
    }
    try OutputFiles.write(bytes, to: path)
    if isShown { try show(path) }
    guard let engine = files.engine else {
      return console.say("note: the page has no engine; '--engine' puts one in\n")
    }
    let sizes = (shownBytes(Int64(bytes.count)), shownBytes(Int64(engine.module.count)))
    console.say("note: the page of \(sizes.0) holds an engine of \(sizes.1)\n")
  }

  private func show(_ path: String) throws(Failure) {
    guard let resolved = try? resolvedPath(path) else { return }
    var address = "file://"
    for byte in resolved.utf8 {
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
