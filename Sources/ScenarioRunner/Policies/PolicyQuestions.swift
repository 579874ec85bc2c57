import ExactText
import PlayerPolicies
import ScenarioFormat
import VirtualTime

// What a policy outside is told and asked: an object of JSON a line. Times are seconds, rates bits
// per second; what nobody knows is null.

extension JSONWriter {
  /// The first line: who asks, and for which seats.
  mutating func hello(_ scenario: String, player: String?, seats: [PolicySeat]) {
    beginObject()
    key("goldilocks")
    string(Tool.version)
    key("version")
    integer(PolicyProtocol.version)
    key("scenario")
    string(scenario)
    key("player")
    if let player { string(player) } else { null() }
    key("seats")
    beginArray()
    for seat in seats { string(seat.word) }
    endArray()
    endObject()
  }

  /// What the playlist says of the variants: told before the first question that is about them.
  mutating func ladder(_ ladder: Ladder) {
    beginObject()
    key("ladder")
    beginObject()
    key("variants")
    beginArray()
    for rung in ladder.rungs {
      beginObject()
      key("bandwidth")
      integer(rung.bandwidth)
      key("averageBandwidth")
      whole(rung.averageBandwidth)
      key("width")
      whole(rung.width.map { Int64($0) })
      key("height")
      whole(rung.height.map { Int64($0) })
      endObject()
    }
    endArray()
    key("boundaries")
    beginArray()
    for boundary in ladder.boundaries { seconds(boundary.nanoseconds) }
    endArray()
    endObject()
    endObject()
  }

  /// Begins a question; whoever asks adds what it is about, and ends it.
  mutating func question(_ number: Int64, _ seat: PolicySeat, at now: Instant) {
    beginObject()
    key("ask")
    integer(number)
    key("seat")
    string(seat.word)
    key("now")
    time(now)
  }

  // MARK: Parts of questions

  mutating func members(_ snapshot: Snapshot) {
    key("source")
    string(snapshot.source.word)
    key("wait")
    string(snapshot.wait.word)
    key("waitBegan")
    time(snapshot.waitBegan)
    key("rate")
    rate(snapshot.rate)
    key("playhead")
    seconds(snapshot.playhead.nanoseconds)
    key("ahead")
    seconds(snapshot.ahead.nanoseconds)
    key("end")
    if snapshot.end == .distantFuture { null() } else { seconds(snapshot.end.nanoseconds) }
    key("loading")
    string(snapshot.buffer.loading.word)
    key("bytesAhead")
    whole(snapshot.buffer.bytesAhead)
    if let stream = snapshot.stream { member(stream) }
  }

  private mutating func member(_ stream: StreamFacts) {
    key("stream")
    beginObject()
    key("variant")
    whole(stream.variant.map { Int64($0) })
    key("nextSegment")
    integer(Int64(stream.nextSegment))
    key("received")
    integer(stream.received)
    key("wholeSegments")
    integer(stream.wholeSegments)
    key("goesOn")
    boolean(stream.goesOn)
    key("liveOffset")
    if let offset = stream.liveOffset { seconds(offset.nanoseconds) } else { null() }
    key("liveTarget")
    if let target = stream.liveTarget { seconds(target.nanoseconds) } else { null() }
    key("arriving")
    seconds(stream.arriving.nanoseconds)
    key("switched")
    time(stream.switched)
    key("request")
    if let request = stream.request { member(request) } else { null() }
    endObject()
  }

  /// The choice of the next variant: the state of playback, the download that ended last, and the
  /// segments that the choice is for.
  mutating func members(_ question: VariantQuestion) {
    key("current")
    integer(Int64(question.current))
    member(question.eligible)
    member(question.estimate)
    key("ahead")
    seconds(question.ahead.nanoseconds)
    key("mediaLimit")
    if let limit = question.mediaLimit { seconds(limit.nanoseconds) } else { null() }
    key("liveOffset")
    if let offset = question.liveOffset { seconds(offset.nanoseconds) } else { null() }
    key("end")
    if question.end == .distantFuture { null() } else { seconds(question.end.nanoseconds) }
    key("rate")
    rate(question.rate)
    key("nextSegment")
    integer(Int64(question.nextSegment))
    key("switched")
    time(question.switched)
    key("latest")
    if let latest = question.latest { member(latest) } else { null() }
    key("segments")
    beginArray()
    for segment in question.segmentsAhead.prefix(PolicyProtocol.segmentsAhead) {
      member(segment, of: question.ladder)
    }
    endArray()
  }

  private mutating func member(_ segment: Int, of ladder: Ladder) {
    beginObject()
    key("duration")
    seconds(ladder.duration(of: segment).nanoseconds)
    key("bytes")
    beginArray()
    for rung in ladder.rungs.indices {
      integer(ladder.expectedBytes(of: rung, from: segment, to: segment + 1))
    }
    endArray()
    endObject()
  }

  private mutating func member(_ arrival: SegmentArrival) {
    beginObject()
    key("variant")
    integer(Int64(arrival.rung))
    key("segment")
    integer(Int64(arrival.segment))
    key("bytes")
    integer(arrival.bytes)
    key("began")
    time(arrival.began)
    key("responded")
    time(arrival.responded)
    key("arrived")
    time(arrival.arrived)
    endObject()
  }

  mutating func member(_ request: RequestFacts) {
    beginObject()
    key("began")
    time(request.began)
    key("responded")
    time(request.responded)
    key("received")
    integer(request.received)
    key("bytes")
    whole(request.bytes)
    key("variant")
    integer(Int64(request.variant))
    key("segment")
    integer(Int64(request.segment))
    endObject()
  }

  /// What the player believes of the link, by the estimator of its policy.
  mutating func member(_ estimate: Estimate) {
    key("estimate")
    beginObject()
    key("bitsPerSecond")
    whole(estimate.bitsPerSecond)
    key("latency")
    if let latency = estimate.latency { seconds(latency.nanoseconds) } else { null() }
    key("isReliable")
    boolean(estimate.isReliable)
    endObject()
  }

  mutating func member(_ eligible: EligibleRungs) {
    key("eligible")
    beginArray()
    for rung in eligible.ascending.sorted() { integer(Int64(rung)) }
    endArray()
  }

  mutating func time(_ instant: Instant?) {
    guard let instant, instant != .distantFuture else { return null() }
    seconds(instant.nanoseconds)
  }

  mutating func whole(_ number: Int64?) {
    if let number { integer(number) } else { null() }
  }
}
