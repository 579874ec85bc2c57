import SystemLibrary

/// A process of ours with a pipe to it and one from it, and one for what it says to people. It is
/// in a group of its own, which ends with it, whatever it has started itself.
final class ChildProcess {
  enum End {
    case code(Int32)
    case signal(Int32)
    /// By us, as it had not ended when nothing more was asked of it.
    case killed
  }

  private let number: pid_t
  private let input: Int32
  private let output: Int32
  private let errors: Int32
  private var relay = ErrorRelay()
  private var hasMoreToSay = true
  private var ending: End?

  /// Time that the process has for ending once nothing more is asked of it, in nanoseconds.
  private static let grace: Int64 = 1_000_000_000

  /// The shell changes the folder and becomes the command; without one, or without the interpreter
  /// on its first line, it exits in silence.
  private static let shell = [
    "/bin/sh", "-c",
    #"cd -- "$0" && case $1 in */*) [ -e "$1" ] || exit 127; [ -x "$1" ] || exit 126; a= b=; "#
      + #"read -r a b 2>/dev/null <"$1"; case $a in '#!') a=${b%% *};; '#!'*) a=${a#??};; *) a=;; "#
      + #"esac; [ -z "$a" ] || [ -e "$a" ] || exit 127;; "#
      + #"*) command -v "$1" >/dev/null || exit 127;; esac && exec "$@""#,
  ]

  init(_ command: [String], in folder: String) throws(SystemError) {
    // A pipe is closed in other children once it is marked so; nobody may start one before.
    let lock = ChildTable.shared
    lock.enter()
    defer { lock.leave() }
    let (toChild, fromChild, heard) = (try Pipe(), try Pipe(), try Pipe())
    let started = Self.start(
      Self.shell + [folder] + command,
      streams: [toChild.reading, fromChild.writing, heard.writing])
    for end in [toChild.reading, fromChild.writing, heard.writing] { close(end) }
    (input, output, errors) = (toChild.writing, fromChild.reading, heard.reading)
    guard case .success(let number) = started, fcntl(input, F_SETFL, O_NONBLOCK) == 0,
      fcntl(errors, F_SETFL, O_NONBLOCK) == 0
    else {
      for end in [input, output, errors] { close(end) }
      if case .failure(let error) = started { throw error }
      throw .last
    }
    self.number = number
    lock.put(number)
  }

  deinit { _ = end() }

  private struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws(SystemError) {
      var ends: [Int32] = [0, 0]
      if pipe(&ends) != 0 { throw .last }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (reading, writing) = (ends[0], ends[1])
    }
  }

  private static func start(_ words: [String], streams: [Int32]) -> Result<pid_t, SystemError> {
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, end) in streams.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, end, Int32(number))
    }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    // The child inherits neither this thread's signal mask nor the signals this process ignores.
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var number: pid_t = 0
    var arguments = words.map { word in word.withSystemPath { strdup($0) } } + [nil]
    defer { for argument in arguments { free(argument) } }
    let problem = posix_spawn(&number, words[0], &actions, &attributes, &arguments, environ)
    return problem == 0 ? .success(number) : .failure(SystemError(number: problem))
  }

  /// Writes as much as it takes at once; nothing where its pipe is full.
  func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
    while true {
      let count = writeBytes(bytes, to: input)
      if count >= 0 { return count }
      if errno == EAGAIN { return 0 }
      if errno != EINTR { throw .last }
    }
  }

  /// Reads what there is; false where nothing more comes.
  func read(into bytes: inout [UInt8]) throws(SystemError) -> Bool {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = piece.withUnsafeMutableBytes { readBytes(output, into: $0) }
      if count > 0 {
        bytes += piece[..<count]
        return true
      }
      if count == 0 { return false }
      if errno != EINTR { throw .last }
    }
  }

  /// Passes on what it has said to people, a share of it at a time: it may go on for ever.
  private func relayErrors() {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    for _ in 0..<16 {
      let count = piece.withUnsafeMutableBytes { readBytes(errors, into: $0) }
      if count > 0 { relay.add(piece[..<count]) }
      if count == 0 { hasMoreToSay = false }
      if count <= 0 { return }
    }
  }

  /// Waits until there is something to read, which it then says, or room to write.
  func wait(toWrite: Bool, nanoseconds: Int64) throws(SystemError) -> Bool {
    var polled = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      // A negative one is left out.
      pollfd(fd: hasMoreToSay ? errors : -1, events: Int16(POLLIN), revents: 0),
    ]
    if toWrite { polled.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
    // A part of a millisecond is waited for as a whole one.
    let span = Int32(clamping: (nanoseconds + 999_999) / 1_000_000)
    if poll(&polled, nfds_t(polled.count), span) < 0, errno != EINTR { throw .last }
    if polled[1].revents != 0 { relayErrors() }
    return polled[0].revents != 0
  }

  /// Says that nothing more comes, lets it end, and ends it where it does not.
  ///
  /// - Parameter atOnce: Whether it is not given any time to.
  func end(atOnce: Bool = false) -> End {
    if let ending { return ending }
    close(input)
    let isOver = waitForEnd(until: nanosecondsNow() + (atOnce ? 0 : Self.grace))
    // Before its number is given back: nobody else can have it until then.
    kill(-number, SIGKILL)
    ChildTable.shared.remove(number)
    var status: Int32 = 0
    while waitpid(number, &status, 0) < 0, errno == EINTR {}
    relayErrors()
    relay.finish()
    close(output)
    close(errors)
    let end: End =
      if !isOver { .killed } else if status & 0x7F == 0 { .code(status >> 8 & 0xFF) } else {
        .signal(status & 0x7F)
      }
    ending = end
    return end
  }

  private func waitForEnd(until instant: Int64) -> Bool {
    var pause: UInt32 = 100
    while true {
      var status = siginfo_t()
      // It stays a zombie until its group has been ended.
      let answer = waitid(P_PID, id_t(number), &status, WEXITED | WNOHANG | WNOWAIT)
      if answer == 0, status.si_signo == SIGCHLD { return true }
      if nanosecondsNow() >= instant { return false }
      relayErrors()
      usleep(pause)
      pause = min(pause * 2, 10_000)
    }
  }
}

/// The processes that are under way: they end with this command, however it ends.
final class ChildTable: @unchecked Sendable {
  static let shared = ChildTable()

  /// Process numbers that the signal handler reads; a place without a process is zero.
  private let numbers = UnsafeMutablePointer<pid_t>.allocate(capacity: most)
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var mask: SignalMask?
  /// More than jobs can run at a time, with a process for each of their players.
  private static let most = 1 << 15

  private init() {
    numbers.initialize(repeating: 0, count: Self.most)
    pthread_mutex_init(lock, nil)
  }

  /// Keeps others from starting a process for a while, and this thread from being interrupted.
  func enter() {
    let mask = SignalMask()
    pthread_mutex_lock(lock)
    self.mask = mask
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      var action = sigaction()
      sigaction(number, nil, &action)
      #if canImport(Glibc)
        let isDefault = action.__sigaction_handler.sa_handler == nil
        action.__sigaction_handler.sa_handler = Self.endAll
      #else
        let isDefault = action.__sigaction_u.__sa_handler == nil
        action.__sigaction_u.__sa_handler = Self.endAll
      #endif
      sigfillset(&action.sa_mask)
      // Signals that this process was started to ignore stay ignored.
      if isDefault { sigaction(number, &action, nil) }
    }
  }

  func leave() {
    let mask = mask
    pthread_mutex_unlock(lock)
    mask?.restore()
  }

  /// Ends all processes and this one. Whoever starts a process holds the lock and cannot be
  /// interrupted, so each process is in the table.
  private static let endAll: @convention(c) (Int32) -> Void = { number in
    pthread_mutex_lock(ChildTable.shared.lock)
    let all = ChildTable.shared.numbers
    for place in 0..<ChildTable.most where all[place] != 0 { kill(-all[place], SIGKILL) }
    signal(number, SIG_DFL)
    raise(number)
  }

  /// Puts a process in the place of another, or of none; called by whoever holds the lock.
  fileprivate func put(_ number: pid_t, inPlaceOf old: pid_t = 0) {
    for place in 0..<Self.most where numbers[place] == old {
      numbers[place] = number
      return
    }
  }

  fileprivate func remove(_ number: pid_t) {
    enter()
    put(0, inPlaceOf: number)
    leave()
  }
}
