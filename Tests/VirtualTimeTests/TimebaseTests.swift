import Testing
import VirtualTime

@Suite struct TimebaseTests {
  @Test func `a position is the anchor plus the rate times the span`() {
    let timebase = Timebase(at: .zero + .seconds(2), time: .seconds(10), rate: .init(3, over: 2))
    #expect(timebase.time(at: .zero + .seconds(4)) == .seconds(13))
    #expect(timebase.instant(reaching: .seconds(13)) == .zero + .seconds(4))
  }
}
