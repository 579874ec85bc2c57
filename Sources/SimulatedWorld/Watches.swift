import VirtualTime

/// Those who wait for a condition to become true of a player.
///
/// Of the conditions of one kind on one player the one with the nearest bound comes true first, so
/// only the nearest few have to be looked at, however many there are.
struct Watches {
  struct Watch {
    var player: Int
    var condition: PlaybackCondition
    var isActive = true
    /// When it can become true as things are.
    var instant = Instant.distantFuture
    var token: EventToken?
    var action: () -> Void
  }

  /// The conditions of one kind on one player, the nearest bound first.
  private struct Line {
    let player: Int
    let kind: Int
    /// From `first` on; those before are done.
    var entries: [(bound: Int64, index: Int)] = []
    var first = 0
    /// How many are looked at.
    var reach = Watches.fewest

    var window: ArraySlice<(bound: Int64, index: Int)> {
      entries[first..<min(entries.count, first + reach)]
    }
  }

  /// As many of a kind are looked at, at least: more than a script has that a person writes.
  private static let fewest = 32

  private(set) var all: [Watch] = []
  private var lines: [Line] = []
  private var near: [Int] = []
  private var isNearStale = false
  /// How many of them know when they become true.
  private(set) var armedCount = 0

  var isEmpty: Bool { all.isEmpty }

  mutating func add(_ watch: Watch) {
    let (kind, bound) = watch.condition.kindAndBound
    let index = all.count
    all.append(watch)
    var place = lines.startIndex
    while place < lines.count, lines[place].kind != kind || lines[place].player != watch.player {
      place += 1
    }
    if place == lines.count { lines.append(Line(player: watch.player, kind: kind)) }
    var (low, high) = (lines[place].first, lines[place].entries.count)
    while low < high {
      let middle = low + (high - low) / 2
      // Of equal bounds the one that was there before comes first.
      if lines[place].entries[middle].bound <= bound { low = middle + 1 } else { high = middle }
    }
    lines[place].entries.insert((bound, index), at: low)
    isNearStale = true
  }

  /// Those to be looked at, in the order in which they were added.
  mutating func nearest() -> [Int] {
    if isNearStale {
      near.removeAll(keepingCapacity: true)
      for line in lines { for entry in line.window { near.append(entry.index) } }
      near.sort()
      isNearStale = false
    }
    return near
  }

  /// Further ones to be looked at, where all that were are true now.
  mutating func further(at now: Instant) -> [Int] {
    var further: [Int] = []
    for place in lines.indices {
      let window = lines[place].window
      guard let last = window.last, window.endIndex < lines[place].entries.count,
        all[last.index].instant == now
      else { continue }
      let end = window.endIndex
      lines[place].reach += Watches.fewest
      further += lines[place].entries[end..<lines[place].window.endIndex].map { $0.index }
      isNearStale = true
    }
    return further.sorted()
  }

  /// Notes when one becomes true, and the event that will say so.
  mutating func arm(_ index: Int, at instant: Instant, by token: EventToken?) {
    armedCount += (instant == .distantFuture ? 0 : 1) - (all[index].isArmed ? 1 : 0)
    all[index].instant = instant
    all[index].token = token
  }

  /// Takes one out: it came true.
  mutating func finish(_ index: Int) {
    all[index].isActive = false
    let (kind, _) = all[index].condition.kindAndBound
    let player = all[index].player
    guard let place = lines.firstIndex(where: { $0.kind == kind && $0.player == player }),
      var entry = lines[place].entries[lines[place].first...].firstIndex(where: {
        $0.index == index
      })
    else { return }
    // The few before it move up; the many behind it stay.
    while entry > lines[place].first {
      lines[place].entries[entry] = lines[place].entries[entry - 1]
      entry -= 1
    }
    lines[place].first += 1
    if lines[place].reach > Watches.fewest { lines[place].reach -= 1 }
    isNearStale = true
  }
}

extension Watches.Watch {
  fileprivate var isArmed: Bool { instant != .distantFuture }
}

extension PlaybackCondition {
  /// What is looked at, and how far it has to come: nothing for what is true or not.
  fileprivate var kindAndBound: (kind: Int, bound: Int64) {
    switch self {
    case .loaded(let time): (0, time.nanoseconds)
    case .ahead(let time): (1, time.nanoseconds)
    case .currentTime(let time): (2, time.nanoseconds)
    case .stalls(let count): (3, count)
    case .loops(let count): (4, count)
    case .transitions(let count): (5, count)
    // The highest bound is met first.
    case .loadedAtMost(let time): (14, -time.nanoseconds)
    case .aheadAtMost(let time): (15, -time.nanoseconds)
    case .currentTimeAtMost(let time): (16, -time.nanoseconds)
    case .paused: (6, 0)
    case .waiting: (7, 0)
    case .playing: (8, 0)
    case .likelyToKeepUp: (9, 0)
    case .bufferFull: (10, 0)
    case .bufferEmpty: (11, 0)
    case .readyToPlay: (12, 0)
    case .failed: (13, 0)
    }
  }
}
