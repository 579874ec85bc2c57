package import VirtualTime

/// The boundaries of throughput samples, and the conditions on which a sample counts.
package struct Sampling: Hashable, Sendable {
  package enum Boundary: Hashable, Sendable {
    /// Each request is a sample of its own.
    case requestEnds
    /// Each request of the main rendition is; separate audio says nothing.
    case mainRequestEnds
    /// All bytes until a segment of the main rendition is there, over the time with any arrivals.
    case mainSegmentEnds
    /// The same until any segment is there: requests side by side share their samples.
    case segmentEnds
    /// A piece of a request, after that much time and that many bytes, and the rest at its end.
    case progress(every: TimeSpan, bytes: Int64)
  }

  /// The instant from which the time of a request is counted.
  package enum Clock: String, Hashable, Sendable, CaseIterable {
    /// From when it was made: the wait for the first byte is part of the first sample.
    case request
    case response
  }

  package var boundary = Boundary.requestEnds
  package var clock = Clock.response
  package var leastBytes: Int64 = 0
  /// The least time of a sample: a shorter transfer came out of a cache.
  package var leastSpan = TimeSpan.zero
  package var countsCancelled = false

  var subscription: Subscription {
    switch boundary {
    case .requestEnds, .mainRequestEnds, .mainSegmentEnds, .segmentEnds: .ends
    case .progress(let span, let bytes): .progress(every: span, bytes: bytes)
    }
  }
}

/// The bytes received over a span of active transfer.
struct Sample: Hashable, Sendable {
  var bytes: Int64
  var span: TimeSpan
}

/// A request that an estimator follows.
struct OpenRequest: Hashable, Sendable {
  let number: RequestNumber
  let role: RenditionRole
  var began: Instant
  var hasResponded = false
  /// Since when reading of it is suspended; nil while it is not.
  var suspendedAt: Instant?
  var received: Int64 = 0
  /// The bytes of it already in a sample, and the instant of that cut, later by the pauses since.
  var sampled: Int64 = 0
  var sampledAt: Instant

  var isSuspended: Bool { suspendedAt != nil }

  /// Whether its bytes come in, or could.
  var isReceiving: Bool { hasResponded && !isSuspended }

  /// Until when it has been read.
  func readUntil(_ now: Instant) -> Instant { suspendedAt ?? now }

  /// Reading goes on: the pause is in no sample.
  mutating func resume(at now: Instant) {
    guard let since = suspendedAt else { return }
    sampledAt = sampledAt + (now - since)
    suspendedAt = nil
  }
}

/// Cuts what is heard of requests into samples.
struct Sampler: Sendable {
  let sampling: Sampling
  /// The instant up to which the present busy span is counted; nil while no bytes are arriving.
  private var busySince: Instant?
  private var bytes: Int64 = 0
  private var span = TimeSpan.zero

  init(_ sampling: Sampling) {
    self.sampling = sampling
  }

  /// A request has its first byte, or goes on.
  mutating func begins(_ request: inout OpenRequest, at now: Instant) {
    if sampling.clock == .response, !request.hasResponded {
      request.sampledAt = request.readUntil(now)
    }
    if busySince == nil {
      busySince = sampling.clock == .request && !request.hasResponded ? request.began : now
    }
  }

  /// The sample that is complete with the bytes that have come; nil while none is.
  mutating func progressed(_ request: inout OpenRequest, at now: Instant) -> Sample? {
    guard case .progress(let least, let leastBytes) = sampling.boundary else { return nil }
    let span = request.readUntil(now) - request.sampledAt
    if span < least || request.received - request.sampled < leastBytes { return nil }
    return cut(&request, at: now)
  }

  /// The sample that is complete with the end of a request; nil where none is.
  mutating func ended(
    _ request: inout OpenRequest, _ outcome: RequestOutcome, others: inout [OpenRequest],
    at now: Instant
  ) -> Sample? {
    let counts = outcome == .completed || outcome == .abandoned || sampling.countsCancelled
    switch sampling.boundary {
    case .requestEnds, .mainRequestEnds, .progress:
      let isHeard = request.role == .main || sampling.boundary != .mainRequestEnds
      guard counts, isHeard, request.hasResponded else { return nil }
      return cut(&request, at: now)
    case .mainSegmentEnds, .segmentEnds:
      count(&request, at: now)
      var sample: Sample?
      if counts && (request.role == .main || sampling.boundary == .segmentEnds) {
        for index in others.indices where others[index].isReceiving {
          count(&others[index], at: now)
          // Bytes are whole: the byte under way belongs to this sample and not to the next.
          others[index].sampled += 1
        }
        sample = worth(Sample(bytes: bytes, span: span))
        (bytes, span) = (0, .zero)
      }
      if !others.contains(where: { $0.isReceiving }) { busySince = nil }
      return sample
    }
  }

  /// Reading of the last request was suspended: the time until it goes on is nobody's.
  mutating func pauses(at now: Instant) {
    if let since = busySince { span += now - since }
    busySince = nil
  }

  private mutating func count(_ request: inout OpenRequest, at now: Instant) {
    bytes += max(0, request.received - request.sampled)
    request.sampled = request.received
    if let since = busySince {
      span += now - since
      busySince = now
    }
  }

  private func cut(_ request: inout OpenRequest, at now: Instant) -> Sample? {
    let end = request.readUntil(now)
    let sample = Sample(bytes: request.received - request.sampled, span: end - request.sampledAt)
    request.sampled = request.received
    request.sampledAt = end
    return worth(sample)
  }

  private func worth(_ sample: Sample) -> Sample? {
    if sample.bytes <= 0 || sample.bytes < sampling.leastBytes { return nil }
    return sample.span < sampling.leastSpan ? nil : sample
  }
}
