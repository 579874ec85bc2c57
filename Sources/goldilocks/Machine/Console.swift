import RunReports
import SystemLibrary

/// The two streams that the command writes to: results to the one, everything else to the other.
final class Console {
  /// Text style of results on standard output.
  private(set) var style: TextStyle
  private(set) var errorStyle: TextStyle
  /// Maximum width of a table: a file or a pipe takes a line of any length.
  private(set) var tableWidth: Int
  let isOutputTerminal: Bool
  let progress: ProgressLine
  private var pending: [UInt8] = []

  init() {
    // A closed pipe is an error of the call that writes, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    // So is a file that may grow no further.
    signal(SIGXFSZ, SIG_IGN)
    isOutputTerminal = isatty(STDOUT_FILENO) == 1
    let isErrorTerminal = isatty(STDERR_FILENO) == 1
    let isDumb = environmentVariable("TERM") == "dumb"
    // See no-color.org: set to anything but nothing, it forbids colours.
    let permitted = (environmentVariable("NO_COLOR") ?? "").isEmpty && !isDumb
    let width = isOutputTerminal ? Console.terminalWidth() : TextStyle.plain.width
    tableWidth = isOutputTerminal ? max(width, 40) : Int.max
    style = TextStyle(width: width, isColoured: isOutputTerminal && permitted)
    errorStyle = TextStyle(width: TextStyle.plain.width, isColoured: isErrorTerminal && permitted)
    progress = ProgressLine(isOnTerminal: isErrorTerminal && !isDumb, style: errorStyle)
  }

  private static func terminalWidth() -> Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Colours and a width as somebody asks for them; nil where a terminal decides.
  func show(isColoured: Bool?, width: Int?) {
    style = TextStyle(
      width: width ?? style.width, isColoured: isColoured ?? style.isColoured,
      atMost: width ?? TextStyle.plain.width)
    errorStyle = TextStyle(
      width: width ?? errorStyle.width, isColoured: isColoured ?? errorStyle.isColoured,
      atMost: width ?? TextStyle.plain.width)
    if let width { tableWidth = width }
    progress.use(errorStyle)
  }

  func write(_ text: String) throws(Failure) {
    pending += Array(harmlessText(text).utf8)
    if isOutputTerminal || pending.count > 65_536 { try flush() }
  }

  func write(_ bytes: [UInt8]) throws(Failure) {
    pending += bytes
    if pending.count > 65_536 { try flush() }
  }

  func flush() throws(Failure) {
    if pending.isEmpty { return }
    progress.clear()
    let bytes = pending
    pending.removeAll(keepingCapacity: true)
    do throws(SystemError) {
      try Descriptor.write(bytes[...], to: STDOUT_FILENO)
    } catch {
      // A reader that closed the pipe has read enough and needs no message.
      let message = "Standard output cannot be written: \(error.words)."
      throw Failure(.inputOutput, error.isClosedPipe ? nil : message)
    }
  }

  func say(_ text: String) {
    progress.clear()
    Descriptor.say(harmlessText(text))
  }

  /// Says remarks, and returns them for the warnings of an answer.
  @discardableResult
  func note(_ remarks: [String]) -> [String] {
    for remark in remarks { say("note: \(remark)\n") }
    return remarks
  }

  func say(_ failure: Failure) { say(failure.text(errorStyle)) }
}
