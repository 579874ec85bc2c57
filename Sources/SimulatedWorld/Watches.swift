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

  /// The conditions of one kind on one player: the nearest few by bound, and the others in a heap.
  private struct Line {
    typealias Entry = (bound: Int64, index: Int)

    let player: Int
    let kind: Int
    /// Those that are looked at, the nearest bound first.
    var window: [Entry] = []
    private var others: [Entry] = []

    init(player: Int, kind: Int) {
      (self.player, self.kind) = (player, kind)
    }

    /// Of equal bounds the one that was there before comes first.
    private static func comes(_ a: Entry, before b: Entry) -> Bool {
      a.bound != b.bound ? a.bound < b.bound : a.index < b.index
    }

    /// Takes one in; returns one that is not looked at any more in its place.
    mutating func add(_ entry: Entry) -> Int? {
      if let last = window.last, Self.comes(last, before: entry), window.count >= Watches.fewest {
        push(entry)
        return nil
      }
      let place = window.firstIndex { Self.comes(entry, before: $0) } ?? window.count
      window.insert(entry, at: place)
      guard window.count > 2 * Watches.fewest, let last = window.popLast() else { return nil }
      push(last)
      return last.index
    }

    /// Looks at so many more, as far as there are any.
    mutating func extend(by count: Int) -> [Int] {
      var further: [Int] = []
      while further.count < count, let entry = pop() {
        window.append(entry)
        further.append(entry.index)
      }
      return further
    }

    private mutating func push(_ entry: Entry) {
      var hole = others.count
      others.append(entry)
      while hole > 0, Self.comes(entry, before: others[(hole - 1) / 2]) {
        others[hole] = others[(hole - 1) / 2]
        hole = (hole - 1) / 2
      }
      others[hole] = entry
    }

    private mutating func pop() -> Entry? {
      guard let last = others.popLast() else { return nil }
      guard let top = others.first else { return last }
      var hole = 0
      while 2 * hole + 1 < others.count {
        var child = 2 * hole + 1
        if child + 1 < others.count, Self.comes(others[child + 1], before: others[child]) {
          child += 1
        }
        if !Self.comes(others[child], before: last) { break }
        others[hole] = others[child]
        hole = child
      }
      others[hole] = last
      return top
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
  /// The places of those that know when they become true and are not looked at any more.
  private var left: [Int] = []

  var isEmpty: Bool { all.isEmpty }

  mutating func add(_ watch: Watch) {
    all.append(watch)
    enter(all.count - 1)
  }

  private mutating func enter(_ index: Int) {
    let place = line(of: index)
    if let other = lines[place].add((all[index].condition.kindAndBound.bound, index)),
      all[other].isArmed
    {
      left.append(other)
    }
    isNearStale = true
  }

  private mutating func line(of index: Int) -> Int {
    let (kind, player) = (all[index].condition.kindAndBound.kind, all[index].player)
    if let place = lines.firstIndex(where: { $0.kind == kind && $0.player == player }) {
      return place
    }
    lines.append(Line(player: player, kind: kind))
    return lines.count - 1
  }

  /// Those whose events are to be cancelled; told once.
  mutating func takeLeft() -> [Int] {
    if left.isEmpty { return left }
    defer { left = [] }
    return left
  }

  /// Those to be looked at, in the order in which they were added.
  mutating func nearest() -> [Int] {
    if isNearStale {
      near.removeAll(keepingCapacity: true)
      for place in lines.indices {
        let missing = Self.fewest - lines[place].window.count
        if missing > 0 { _ = lines[place].extend(by: missing) }
        for entry in lines[place].window { near.append(entry.index) }
      }
      near.sort()
      isNearStale = false
    }
    return near
  }

  /// Further ones to be looked at, where all that were are true now. Those that are true wait for
  /// their events and are looked at no more.
  mutating func further(at now: Instant) -> [Int] {
    var further: [Int] = []
    for place in lines.indices {
      guard let last = lines[place].window.last else { continue }
      if all[last.index].instant == now { further += lines[place].extend(by: Self.fewest) }
      let count = lines[place].window.count
      lines[place].window.removeAll { all[$0.index].instant == now }
      if lines[place].window.count < count { isNearStale = true }
    }
    return further.sorted()
  }

  /// Notes when one becomes true, and the event that will say so.
  mutating func arm(_ index: Int, at instant: Instant, by token: EventToken?) {
    armedCount += (instant == .distantFuture ? 0 : 1) - (all[index].isArmed ? 1 : 0)
    all[index].instant = instant
    all[index].token = token
  }

  /// Its event has come: takes it out where it is true, and looks at it again where it is not.
  mutating func settle(_ index: Int, isTrue: Bool) {
    let place = line(of: index)
    if let entry = lines[place].window.firstIndex(where: { $0.index == index }) {
      if !isTrue { return }
      lines[place].window.remove(at: entry)
      isNearStale = true
    } else if !isTrue {
      enter(index)
    }
    if isTrue { all[index].isActive = false }
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
