package import Recording
import ScenarioFormat
import SimulatedPlayback
package import VirtualTime

/// A field session held against a run: which of its requests and stalls the model explains.
package struct FieldComparison: Sendable {
  package struct Pair: Sendable {
    package var field: StartupStage
    package var run: StartupStage

    /// Nothing where the field does not tell the end.
    package var error: TimeSpan {
      field.ended == nil
        ? .zero : max(field.length, run.length) - min(field.length, run.length)
    }
  }

  /// A stall by its place in the media; nil where one of them does not have it.
  package struct Stall: Sendable {
    package var place: MediaTime
    package var field: TimeSpan?
    package var run: TimeSpan?
  }

  package private(set) var pairs: [Pair] = []
  package private(set) var fieldAlone: [StartupStage] = []
  package private(set) var runAlone: [StartupStage] = []
  package private(set) var stalls: [Stall] = []
  package let startup: (field: TimeSpan?, run: TimeSpan?)
  /// Numbers of stalls: nil where the log does not tell of them.
  package let stallCount: (field: Int64?, run: Int64)
  package let knowsRequests: Bool

  package init(field: RunOutcome, run: RunOutcome) {
    startup = (field.player.startupDelay, run.player.startupDelay)
    let isCounted = !field.gaps.contains(.stalls)
    stallCount = (isCounted ? field.player.books.stallCount : nil, run.player.books.stallCount)
    knowsRequests = !field.gaps.contains(.requests)
    if !field.gaps.hideStallTimes {
      let (pairs, alone) = field.player.books.stalls.matched(with: run.player.books.stalls)
      stalls = pairs.map { Stall(place: $0.place, field: $0.length, run: $1?.length) }
      stalls += alone.map { Stall(place: $0.place, field: nil, run: $0.length) }
      stalls.sort { $0.place < $1.place }
    }
    guard knowsRequests else { return }
    let requests = run.curves?.requests ?? []
    // The first of a kind is the last of its list.
    var left = Dictionary(grouping: requests.indices.reversed()) { Key(requests[$0]) }
    var isMatched = Array(repeating: false, count: requests.count)
    for request in field.curves?.requests ?? [] {
      if let place = left[Key(request)]?.popLast() {
        isMatched[place] = true
        pairs.append(Pair(field: request, run: requests[place]))
      } else {
        fieldAlone.append(request)
      }
    }
    runAlone = zip(requests, isMatched).compactMap { $1 ? nil : $0 }
  }

  private struct Key: Hashable {
    let kind: ResourceKind?
    let track: TrackKind?
    let place: Int64

    init(_ request: StartupStage) {
      (kind, track) = (request.resource, request.track)
      place = request.media?.lowerBound.nanoseconds ?? request.firstByte
    }
  }

  package var fieldTime: TimeSpan {
    pairs.reduce(.zero) { $0 + $1.field.length } + fieldAlone.reduce(.zero) { $0 + $1.length }
  }

  /// Millionths of the field's request time that the run's requests share; nil where there is none.
  package var requestShare: Int64? {
    if fieldTime == .zero { return nil }
    let both = pairs.reduce(0) { $0 + max(.zero, $1.field.length - $1.error).nanoseconds }
    return share(both, of: fieldTime.nanoseconds)
  }

  /// Stalled time of both over that of either, in millionths; nil without stalls of known times.
  package var stallShare: Int64? {
    if stalls.isEmpty { return nil }
    let both = stalls.reduce(0) { $0 + min($1.field ?? .zero, $1.run ?? .zero).nanoseconds }
    let either = stalls.reduce(0) { $0 + max($1.field ?? .zero, $1.run ?? .zero).nanoseconds }
    return share(both, of: either)
  }

  private func share(_ part: Int64, of whole: Int64) -> Int64 {
    whole <= 0 ? 1_000_000 : scaled(part, by: 1_000_000, over: whole, rounding: .down)
  }

  /// Whether all stalls are of both and the starts within 5 % or 50 ms, as far as the log tells.
  package var isExplained: Bool {
    if let count = stallCount.field, count != stallCount.run { return false }
    if stalls.contains(where: { $0.field == nil || $0.run == nil }) { return false }
    guard let field = startup.field, let run = startup.run else { return startup.field == nil }
    return (field - run).nanoseconds.magnitude <= UInt64(max(50_000_000, field.nanoseconds / 20))
  }
}

extension [PlayerBooks.Stall] {
  /// Each with the same stall of another run, within 1 s of media, and those of the other alone.
  package func matched(with others: Self) -> (pairs: [(Element, Element?)], alone: Self) {
    var alone = others
    let pairs = map { stall in
      let near = alone.firstIndex {
        ($0.place - stall.place).nanoseconds.magnitude <= 1_000_000_000
      }
      return (stall, near.map { alone.remove(at: $0) })
    }
    return (pairs, alone)
  }
}

extension StartupStage {
  /// From the request to its end: nothing where that is not known.
  package var length: TimeSpan { (ended ?? requested) - requested }
}

package func isFieldRecording(_ trace: [UInt8]) -> Bool {
  TraceText(Array(trace.prefix { $0 != 0x0A })).field != nil
}
