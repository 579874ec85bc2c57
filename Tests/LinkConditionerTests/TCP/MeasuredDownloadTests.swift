import LinkConditioner
import TestSupport
import Testing
import VirtualTime

/// A few of the measured cells; the whole comparison is a command.
@Suite struct MeasuredDownloadTests {
  /// What the measuring hosts added to each way.
  private let hostLatency = TimeSpan.microseconds(125)

  private func direction(
    kilobits: Int64, milliseconds: Int64, loss: Int64, queue: Int32
  ) -> DirectionConditions {
    DirectionConditions(
      bandwidth: .limited(.kilobitsPerSecond(kilobits)),
      delay: .milliseconds(milliseconds) + hostLatency, loss: LossRatio(loss, over: 1_000),
      queuePackets: queue)
  }

  private func seconds(_ row: MeasuredDownload, seed: UInt64) -> Double {
    var session = PacketSession(
      LinkConditions(
        downlink: direction(
          kilobits: row.down, milliseconds: row.delays.0, loss: row.loss, queue: row.queue),
        uplink: direction(
          kilobits: row.up, milliseconds: row.delays.1, loss: row.loss, queue: 100)),
      options: ConnectionOptions(congestionControl: row.control), seed: seed)
    let index = row.phase.rawValue
    let pause: [TimeSpan] = [.zero, .zero, .seconds(5)]
    session.fetch(Array(repeating: row.bytes, count: index + 1), pauses: pause)
    let ends = session.completions
    guard ends.count == index + 1 else { return .infinity }
    let start = index == 0 ? .zero : ends[index - 1] + pause[index]
    return Double((ends[index] - start).nanoseconds) / 1e9
  }

  @Test(arguments: measuredDownloads.filter { $0.loss == 0 })
  func
    `without loss a download takes as long as measured`(
      _ row: MeasuredDownload
    )
  {
    let error = abs(seconds(row, seed: 1) / row.seconds - 1)
    // Below twenty milliseconds the measuring hosts' own time shows.
    #expect(error <= (row.seconds < 0.02 ? 0.06 : 0.02))
  }

  @Test(arguments: Seeds.cases(of: measuredDownloads.filter { $0.loss > 0 }))
  func `with loss the median of many runs is near the measured one`(_ row: MeasuredDownload) {
    let times = Seeds.first(31, inRelease: 101).map { seconds(row, seed: $0 + 1) }.sorted()
    // The measured medians are of 30 runs; those of heavy loss scatter this much by themselves.
    #expect(abs(times[times.count / 2] / row.seconds - 1) <= 0.2)
  }
}
