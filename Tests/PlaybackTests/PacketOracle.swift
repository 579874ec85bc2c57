/// The best start for the arrivals of one run, in nanoseconds since play.
///
/// Nothing of the player's is used: what was asked for, what came, and when.
struct PacketOracle {
  /// Nil where there is none: however late the start, the forward buffer would have run dry.
  private(set) var best: Int64?
  /// Whether whoever starts as late as is allowed, going by what has come by then, runs dry all the
  /// same: what was to come was worse than all before.
  private(set) var isUnforeseeable = false

  init() {}

  /// The latest start that is asked for where the best is known.
  static func latest(for best: Int64) -> Int64 { best * 115 / 100 + 2_000_000_000 }

  // MARK: Of a file

  /// - Parameter edges: How much media was there by when.
  init(edges: [(time: Int64, edge: Int64)], duration: Int64) {
    let end = duration * 1_000_000
    var (best, known): (Int64, Int64?) = (0, nil)
    guard let first = edges.firstIndex(where: { $0.edge > 0 }) else { return }
    for (time, edge) in edges[first...] where edge < end {
      best = max(best, time - edge)
      // As if all the rest came as what is there did.
      let came = edge - edges[first].edge
      if known != nil || came <= 0 { continue }
      let rest = Double(time - edges[first].time) / Double(came) * Double(end - edge)
      let latest = Self.latest(for: max(best, time + Int64(rest) - end))
      if latest <= time { known = latest }
    }
    self.best = best
    isUnforeseeable = known.map { $0 < best } ?? false
  }

  // MARK: Of a stream

  /// With so much ahead nothing more is asked for.
  private static let forwardBuffer: Int64 = 50_000_000_000

  /// - Parameters:
  ///   - requested: When each segment was asked for.
  ///   - arrived: When it was there.
  ///   - segment: How long segments are, in milliseconds.
  init(requested: [Int64], arrived: [Int64], segment: Int64, duration: Int64) {
    let count = Int((duration + segment - 1) / segment)
    guard arrived.count == count, requested.count == count else { return }
    let begins = (0..<count).map { Int64($0) * segment * 1_000_000 }
    // Each takes as long from its request, or from when the one before was there.
    let takes = (0..<count).map { index in
      arrived[index] - max(requested[index], index == 0 ? .min : arrived[index - 1])
    }
    let runsDry = { (start: Int64) -> Bool in
      var clock = requested[0]
      for index in 0..<count {
        let isBeyond = begins[index] >= Self.forwardBuffer
        let room = isBeyond ? start + begins[index] - Self.forwardBuffer : clock
        clock = max(clock, room) + takes[index]
        // Playback that begins with a byte in the very instant is in time.
        if clock > max(start, 0) + begins[index] { return true }
      }
      return false
    }
    var (best, clock, known): (Int64, Int64, Int64?) = (0, requested[0], nil)
    for index in 0..<count {
      clock += takes[index]
      best = max(best, clock - begins[index])
      if known != nil || index + 1 == count { continue }
      // As if all the rest took as long as those before did.
      let mean = (clock - requested[0]) / Int64(index + 1)
      let rest = Int64(count - 1 - index)
      let last = clock + rest * mean - begins[count - 1]
      let latest = max(clock, Self.latest(for: max(best, last, clock + mean - begins[index + 1])))
      if latest < clock + takes[index + 1] { known = latest }
    }
    // Whoever waits for more than the buffer holds waits for ever.
    if runsDry(best) { return }
    self.best = best
    isUnforeseeable = known.map { runsDry($0) } ?? false
  }
}
