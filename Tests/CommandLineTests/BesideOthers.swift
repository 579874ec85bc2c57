import Foundation
import Testing

/// Runs tests on threads of their own.
///
/// The runner has as many threads as there are processors: who waits on one of them for a command
/// leaves a processor idle.
struct BesideOthers: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing run: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(OwnThreads.shared) { try await run() }
  }
}

extension Trait where Self == BesideOthers {
  static var besideOthers: Self { BesideOthers() }
}

/// As many threads as there are processors, on which whoever runs may wait.
private final class OwnThreads: TaskExecutor {
  static let shared = OwnThreads()

  private let queue: OperationQueue

  init() {
    queue = OperationQueue()
    queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
