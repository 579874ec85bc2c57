import TestSupport
import Testing

@Suite struct ValidationTests {
  @Test(arguments: [PeerRun.sabreExample, .sabre3G])
  func `a run of Sabre is reproduced to a microsecond`(run: PeerRun) throws {
    let difference = try run.differenceFromSabre(segment: 3_000_000_000)
    #expect(difference <= 1_000, "\(run.name): \(difference) ns")
  }

  @Test func `a run of Pensieve is reproduced to a microsecond`() throws {
    let difference = try PeerRun.pensieve.differenceFromPensieve()
    #expect(difference <= 1_000, "\(difference) ns")
  }

  @Test func `every published fixed-quality run of Sabre is reproduced to a microsecond`() throws {
    for (run, segment) in Seeds.cases(of: try PublishedRuns.sabre()) {
      let difference = try run.differenceFromSabre(segment: segment)
      #expect(difference <= 1_000, "\(run.name): \(difference) ns")
    }
  }

  @Test func `every published fixed-quality run of Pensieve is reproduced to a microsecond`() throws
  {
    for run in Seeds.cases(of: try PublishedRuns.pensieve()) {
      let difference = try run.differenceFromPensieve()
      #expect(difference <= 1_000, "\(run.name): \(difference) ns")
    }
  }
}
