import LinkConditioner
import Testing
import VirtualTime

/// The values of facts of which nothing is said.
@Suite struct BlankFactsTests {
  @Test func `a packet carries nothing until it is told to`() {
    let packet = Packet(seat: 1, generation: 2, kind: .segment)
    #expect(packet.length == 0 && packet.sequence == 0 && packet.acknowledgement == 0)
    #expect(packet.window == 0 && packet.timestamp == 0 && packet.echo == 0)
    #expect(packet.blockCount == 0 && !packet.reportsDuplicate)
    #expect(packet.blocks.0 == SelectiveBlock(start: 0, end: 0))
    #expect(Packet.none.seat == -1 && Packet.none.generation == 0)
    let segment = OutstandingSegment()
    #expect(segment.sequence == 0 && segment.length == 0 && segment.sentAt == 0)
    #expect(!segment.wasRetransmitted)
    #expect(RecentDelivery().sentAt == -1 && RecentDelivery().roundTrip == 0)
    #expect(!RecentDelivery().hasAdvanced && !RecentDelivery().hasSeenReordering)
    #expect(SelectiveBlock().start == 0 && SelectiveBlock().end == 0)
  }

  @Test func `a request is for the first host, by nobody in particular, and followed`() {
    let request = Request(bytes: 9)
    #expect(request.host == 0 && request.owner == 0 && request.track == 0 && request.weight == 1)
    #expect(request.thinkTime == .zero && request.availableAt == nil && request.followsLine)
    #expect(request.label == "" && request.uri == "")
  }

  @Test func `others download over one connection of their own from the beginning on`() {
    let traffic = CompetingTraffic()
    #expect(traffic.connections == 1 && traffic.begins == .zero && !traffic.sharesConnections)
    #expect(traffic.ends == nil && traffic.bytes == nil)
    #expect(LinkDraws().areListed && LinkDraws().ofFaults.isEmpty)
    #expect(DirectionConditions().queuePackets == 100)
    #expect(HTTPOptions() == HTTPOptions(version: .http1(connections: 6), security: .none))
    #expect(HTTPOptions().idleTimeout == .seconds(60) && HTTPOptions().opensConnections)
    let books = LinkBooks()
    #expect(books.requested == 0 && books.delivered == 0)
    #expect(books.abandoned == 0 && books.outstanding == 0)
  }

  @Test func `the limits of links are round numbers`() {
    #expect(LinkLimits.fastestRate == BitRate(bitsPerSecond: 1_000_000_000_000))
    #expect(LinkLimits.finestDenominator == 1_000_000_000)
    #expect(LinkLimits.mostBytes == 10_000_000_000_000 && LinkLimits.mostTransfers == 256)
    #expect(RoundTripEstimator.initialTimeout == 1_000_000_000)
    #expect(RoundTripEstimator.minimumMargin == 200_000_000)
    #expect(CoarseTimer.tick == 4_000_000 && Packet.segmentBytes == 1_448)
  }

  @Test(arguments: [(-1, 0), (0, 0), (1, 1), (256, 256), (257, 256)] as [(Int32, Int32)])
  func `others have at most as many connections as a link has transfers`(
    wanted: Int32, given: Int32
  ) {
    #expect(CompetingTraffic(connections: wanted).connections == given)
  }
}
