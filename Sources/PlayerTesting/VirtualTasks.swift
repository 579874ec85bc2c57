import Foundation
public import SimulatedWorld

/// A clock that shows the virtual time of a world, for code that takes an injected `Clock`.
public struct VirtualClock: Clock {
  /// An instant of virtual time.
  public struct Instant: InstantProtocol {
    /// Since the start of the run.
    public var offset: Duration

    public func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    public func duration(to other: Self) -> Duration { other.offset - offset }
    public static func < (a: Self, b: Self) -> Bool { a.offset < b.offset }
  }

  private let tasks: VirtualTasks

  fileprivate init(_ tasks: VirtualTasks) { self.tasks = tasks }

  /// The present instant of the world.
  public var now: Instant { Instant(offset: .nanoseconds(tasks.nanoseconds)) }
  public var minimumResolution: Duration { .nanoseconds(1) }

  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let left = min(max(.zero, deadline.offset - now.offset), .nanoseconds(Int64.max)).components
    let span = TimeSpan.nanoseconds(left.seconds * 1_000_000_000 + left.attoseconds / 1_000_000_000)
    try await tasks.sleep(for: span)
  }
}

/// Runs the tasks of a test in virtual time, one after the other and always in the same order.
///
/// Tasks that start on the thread of `run` take part: child tasks, `Task { }`, `Task.detached`,
/// actors, and the main actor where the thread is the main actor's. `Task.sleep`, timers and I/O go
/// by the clock on the wall and are outside: code under test takes a `Clock`. A runtime of
/// concurrency that is linked statically has no hooks: only child tasks and tasks that prefer this
/// executor take part.
///
///     let tasks = VirtualTasks(of: simulation.world)
///     try tasks.run { clock in
///       try await clock.sleep(for: .seconds(3))
///       simulation.player.pause()
///     }
public final class VirtualTasks: TaskExecutor, SerialExecutor, @unchecked Sendable {
  // Only the jobs are shared with other threads than that of `run`.
  private let world: World
  private let lock = NSLock()
  private var jobs: [(job: UnownedJob, isMain: Bool)] = []
  private lazy var mainActor = VirtualMainActor(self)
  fileprivate private(set) var runsMainActor = false

  /// Tasks in the virtual time of a world.
  public init(of world: World) { self.world = world }

  /// The clock that the tasks sleep by.
  public var clock: VirtualClock { VirtualClock(self) }

  fileprivate var nanoseconds: Int64 { (world.now - Instant.zero).nanoseconds }

  public func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job), isMain: false) }

  fileprivate func enqueue(_ job: UnownedJob, isMain: Bool) {
    lock.withLock { jobs.append((job, isMain)) }
  }

  /// Runs an operation to its end. Where every task waits, virtual time goes on to the next event.
  ///
  /// - Throws: What the operation throws, and `VirtualDeadlock` where it waits without an end.
  public func run<Result: Sendable>(
    _ operation: @escaping @Sendable (VirtualClock) async throws -> Result
  ) throws -> Result {
    _ = RuntimeHooks.installed
    let outer = RuntimeHooks.tasks
    RuntimeHooks.tasks = self
    defer { RuntimeHooks.tasks = outer }
    runsMainActor = RuntimeHooks.isOnMainActor
    let box = Box<Result>()
    Task(executorPreference: self) { [clock] in
      do {
        box.result = .success(try await operation(clock))
      } catch {
        box.result = .failure(error)
      }
    }
    while true {
      while let next = lock.withLock({ jobs.isEmpty ? nil : jobs.removeFirst() }) {
        if next.isMain {
          next.job.runSynchronously(on: mainActor.asUnownedSerialExecutor())
        } else {
          next.job.runSynchronously(on: asUnownedTaskExecutor())
        }
      }
      if let result = box.result { return try result.get() }
      let before = (world.now, world.eventCount)
      if world.nextInstant < .distantFuture { world.advance(to: world.nextInstant) }
      if (world.now, world.eventCount) == before { throw VirtualDeadlock() }
    }
  }

  fileprivate var mainActorExecutor: UnownedSerialExecutor? {
    runsMainActor ? mainActor.asUnownedSerialExecutor() : nil
  }

  fileprivate func sleep(for span: TimeSpan) async throws {
    try Task.checkCancellation()
    // A cancelled task leaves the stream at once.
    let (wake, continuation) = AsyncStream<Void>.makeStream()
    let callOff = world.timer(after: span) { continuation.finish() }
    for await _ in wake {}
    // A task that is cancelled after `run` goes on in another thread.
    if RuntimeHooks.tasks === self { callOff() }
    try Task.checkCancellation()
  }

  private final class Box<Result>: @unchecked Sendable {
    var result: Swift.Result<Result, any Error>?
  }
}

/// A task waits, and nothing in the world will end that: it is at rest, or met a limit of its run.
public struct VirtualDeadlock: Error {}

/// Takes the main actor's place while the main thread is in `run`.
private final class VirtualMainActor: SerialExecutor, @unchecked Sendable {
  private weak var tasks: VirtualTasks?

  init(_ tasks: VirtualTasks) { self.tasks = tasks }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if let tasks, RuntimeHooks.tasks === tasks { return tasks.enqueue(job, isMain: true) }
    // A job that is left over after `run`.
    DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() {
    precondition(RuntimeHooks.tasks?.runsMainActor == true, "this is not the main actor")
  }
}

/// The hooks that the runtime of concurrency offers to whoever brings an executor. Swift 6.3 has no
/// other way to replace the main actor's executor and the global one.
private enum RuntimeHooks {
  typealias Enqueue = @convention(thin) (UnownedJob) -> Void
  typealias EnqueueHook = @convention(thin) (UnownedJob, Enqueue) -> Void
  typealias MainExecutor = @convention(thin) () -> UnownedSerialExecutor
  typealias MainExecutorHook = @convention(thin) (MainExecutor) -> UnownedSerialExecutor

  private static let key = "goldilocks.tasks"

  /// The tasks that the present thread is running.
  static var tasks: VirtualTasks? {
    get { Thread.current.threadDictionary[key] as? VirtualTasks }
    set { Thread.current.threadDictionary[key] = newValue }
  }

  private static let mainQueue = DispatchSpecificKey<Bool>()

  /// The main queue may be served by another thread than the main one: by `dispatch_main`.
  static var isOnMainActor: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueue) == true
  }

  static let installed: Void = {
    DispatchQueue.main.setSpecific(key: mainQueue, value: true)
    hook("swift_task_enqueueGlobal_hook", EnqueueHook.self)?.pointee = { job, original in
      if let tasks { tasks.enqueue(job, isMain: false) } else { original(job) }
    }
    hook("swift_task_enqueueMainExecutor_hook", EnqueueHook.self)?.pointee = { job, original in
      if let tasks, tasks.runsMainActor {
        tasks.enqueue(job, isMain: true)
      } else {
        original(job)
      }
    }
    hook("swift_task_getMainExecutor_hook", MainExecutorHook.self)?.pointee = { original in
      tasks?.mainActorExecutor ?? original()
    }
  }()

  private static func hook<Hook>(_ name: String, _: Hook.Type) -> UnsafeMutablePointer<Hook?>? {
    #if canImport(Darwin)
      let everywhere = UnsafeMutableRawPointer(bitPattern: -2)
    #else
      let everywhere: UnsafeMutableRawPointer? = nil
    #endif
    return dlsym(everywhere, name)?.assumingMemoryBound(to: Hook?.self)
  }
}
