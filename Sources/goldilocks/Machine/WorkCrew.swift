import SystemLibrary

/// Does independent pieces of work at once and hands over their results in order of the pieces.
final class WorkCrew<Value: Sendable>: @unchecked Sendable {
  // Everything below the lock belongs to whoever holds it.
  private let lock = Lock()
  private var next = 0
  private var values: [Value?]
  private var isStopped = false
  private let work: @Sendable (Int) -> Value

  private init(count: Int, work: @escaping @Sendable (Int) -> Value) {
    values = Array(repeating: nil, count: count)
    self.work = work
  }

  /// Does `work` for 0, 1, … while `goesOn`, which receives each result in that order, says so.
  ///
  /// - Parameter hands: number of threads; one works without a thread of its own.
  static func run(
    count: Int, hands: Int, telling progress: ProgressLine? = nil,
    work: @escaping @Sendable (Int) -> Value, while goesOn: (Int, Value) throws(Failure) -> Bool
  ) throws(Failure) {
    let hands = min(hands, count)
    let crew = WorkCrew(count: hands < 2 ? 0 : count, work: work)
    let threads = hands < 2 ? [] : crew.start(hands)
    defer {
      crew.lock.locked { crew.isStopped = true }
      for thread in threads { pthread_join(thread, nil) }
    }
    for index in 0..<count {
      let isLast = try !goesOn(index, crew.value(index, hasHelp: !threads.isEmpty))
      progress?.tell(index + 1, of: count)
      if isLast { break }
    }
    progress?.clear()
  }

  /// Starts the threads; fewer where the machine gives no more.
  private func start(_ count: Int) -> [pthread_t] {
    // Signals are for the main thread, which knows when it may be interrupted.
    let mask = SignalMask()
    defer { mask.restore() }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 8 << 20)
    return (0..<count).compactMap { _ in
      let job = Unmanaged.passRetained(ThreadJob { [self] in labour() })
      #if canImport(Glibc)
        var thread = pthread_t()
      #else
        var thread: pthread_t?
      #endif
      let refused = pthread_create(&thread, &attributes, runThreadJob, job.toOpaque()) != 0
      if refused { job.release() }
      return refused ? nil : thread
    }
  }

  private func labour() {
    while let index = take() {
      let value = work(index)
      lock.locked {
        values[index] = value
        lock.wakeOthers()
      }
    }
  }

  private func take() -> Int? {
    lock.locked {
      if isStopped || next == values.count { return nil }
      next += 1
      return next - 1
    }
  }

  private func value(_ index: Int, hasHelp: Bool) -> Value {
    if !hasHelp { return work(index) }
    return lock.locked {
      while true {
        if let value = values[index] {
          values[index] = nil
          return value
        }
        lock.wait()
      }
    }
  }
}

func processorCount() -> Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

private final class ThreadJob {
  let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }
}

#if canImport(Glibc)
  private func runThreadJob(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<ThreadJob>.fromOpaque(context).takeRetainedValue().body() }
    return nil
  }
#else
  private func runThreadJob(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadJob>.fromOpaque(context).takeRetainedValue().body()
    return nil
  }
#endif

final class Lock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(change, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(change)
    mutex.deallocate()
    change.deallocate()
  }

  func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Lets others in until one of them wakes the waiting threads; called by a thread that is in.
  func wait() { pthread_cond_wait(change, mutex) }

  func wakeOthers() { pthread_cond_broadcast(change) }
}

final class Locked<Value>: @unchecked Sendable {
  private let lock = Lock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func use<Result>(_ body: (inout Value) -> Result) -> Result { lock.locked { body(&value) } }
}
