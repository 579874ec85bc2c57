import Foundation
public import SimulatedWorld

/// A clock that shows the virtual time of a world, for code that takes an injected `Clock`.
public struct VirtualClock: Clock {
  /// An instant of virtual time.
  public struct Instant: InstantProtocol {
    public var offset: Duration

    public func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    public func duration(to other: Self) -> Duration { other.offset - offset }
    public static func < (a: Self, b: Self) -> Bool { a.offset < b.offset }
  }

  private let tasks: VirtualTasks

  fileprivate init(_ tasks: VirtualTasks) { self.tasks = tasks }

  public var now: Instant { Instant(offset: .nanoseconds(tasks.nanoseconds)) }
  public var minimumResolution: Duration { .nanoseconds(1) }

  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let (seconds, attoseconds) = (deadline.offset - now.offset).components
    let span = TimeSpan.nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    try await tasks.sleep(for: span)
  }
}

/// Runs the tasks of a test in virtual time, one after the other and always in the same order.
///
/// Tasks with this executor take part: child tasks and `async let` inherit it, a task of its own is
/// made by `Task(executorPreference:)`. The main actor, `Task { }` and `Task.detached` are outside.
///
///     let tasks = VirtualTasks(of: simulation.world)
///     try tasks.run { clock in
///       try await clock.sleep(for: .seconds(3))
///       simulation.player.pause()
///     }
public final class VirtualTasks: TaskExecutor, SerialExecutor, @unchecked Sendable {
  // Everything but the jobs belongs to the thread that is in `run`.
  private let world: World
  private let lock = NSCondition()
  private var jobs: [UnownedJob] = []

  public init(of world: World) { self.world = world }

  public var clock: VirtualClock { VirtualClock(self) }

  fileprivate var nanoseconds: Int64 { (world.now - Instant.zero).nanoseconds }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    lock.withLock { jobs.append(job) }
    lock.signal()
  }

  /// Runs an operation to its end. Where every task waits, virtual time goes on to the next event.
  ///
  /// - Throws: What the operation throws, and `VirtualDeadlock` where it waits without an end.
  public func run<Result: Sendable>(
    _ operation: @escaping @Sendable (VirtualClock) async throws -> Result
  ) throws -> Result {
    let box = Box<Result>()
    Task(executorPreference: self) { [clock] in
      do {
        box.result = .success(try await operation(clock))
      } catch {
        box.result = .failure(error)
      }
    }
    while true {
      while let job = lock.withLock({ jobs.isEmpty ? nil : jobs.removeFirst() }) {
        job.runSynchronously(on: asUnownedTaskExecutor())
      }
      if let result = box.result { return try result.get() }
      if world.nextInstant == .distantFuture { throw VirtualDeadlock() }
      world.advance(to: world.nextInstant)
    }
  }

  fileprivate func sleep(for span: TimeSpan) async throws {
    try Task.checkCancellation()
    let sleeper = Sleeper()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        sleeper.begin(continuation)
        world.after(max(.zero, span)) { sleeper.wake() }
      }
    } onCancel: {
      sleeper.wake()
    }
    try Task.checkCancellation()
  }

  private final class Box<Result>: @unchecked Sendable {
    var result: Swift.Result<Result, any Error>?
  }

  /// A task that waits for its time or for its cancellation, whichever comes first.
  private final class Sleeper: @unchecked Sendable {
    private let lock = NSLock()
    private var (isAwake, continuation): (Bool, CheckedContinuation<Void, Never>?) = (false, nil)

    func begin(_ new: CheckedContinuation<Void, Never>) {
      let isOver = lock.withLock {
        if !isAwake { continuation = new }
        return isAwake
      }
      if isOver { new.resume() }
    }

    func wake() {
      let sleeping = lock.withLock {
        defer { (isAwake, continuation) = (true, nil) }
        return continuation
      }
      sleeping?.resume()
    }
  }
}

/// A task waits, and nothing is left in the world that could end that.
public struct VirtualDeadlock: Error {}
