import SimulatedPlayback
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
    /// The instant at which it can become true in the present state.
    var instant = Instant.distantFuture
    var token: EventToken?
    var action: () -> Void
  }

  /// The conditions of one kind on one player: the nearest few by bound, and the others in a heap.
  private struct Line {
    typealias Entry = (bound: Int64, index: Int)

    let player: Int
    let kind: PlaybackCondition
    /// The facts at the last look; nil where it has to look again.
    var seen: WatchedFacts?
    /// No armed one of the window comes true before.
    var earliest = Instant.distantFuture
    /// Those that are looked at, the nearest bound first.
    var window: [Entry] = []
    /// Entries of the window that were not checked yet.
    var fresh: [Int] = []
    var others: [Entry] = []

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
      window.insert(entry, at: window.firstIndex { Self.comes(entry, before: $0) } ?? window.count)
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
  /// The number of watches with a known instant.
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
    lines[place].fresh.append(index)
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

  /// Those whose facts have changed since the last look, in the order in which they were added.
  ///
  /// Perf: a hundred conditions cost 180,000 instructions each where all are looked at each time.
  mutating func nearest(of cores: [PlayerCore], at now: Instant) -> [Int] {
    var near: [Int] = []
    for place in lines.indices {
      let facts = lines[place].kind.facts(of: cores[lines[place].player], at: now)
      let fresh = lines[place].fresh
      lines[place].fresh = []
      if let facts, facts == lines[place].seen {
        for entry in lines[place].window where fresh.contains(entry.index) {
          near.append(entry.index)
        }
        continue
      }
      lines[place].seen = facts
      let missing = Self.fewest - lines[place].window.count
      if missing > 0 { _ = lines[place].extend(by: missing) }
      for entry in lines[place].window { near.append(entry.index) }
    }
    near.sort()
    return near
  }

  /// Further ones to be looked at, where all that were are true now. Those that are true wait for
  /// their events and are looked at no more.
  mutating func further(at now: Instant) -> [Int] {
    var further: [Int] = []
    for place in lines.indices where lines[place].earliest <= now {
      guard let last = lines[place].window.last else { continue }
      if all[last.index].instant == now { further += lines[place].extend(by: Self.fewest) }
      let count = lines[place].window.count
      lines[place].window.removeAll { all[$0.index].instant == now }
      if lines[place].window.count < count { lines[place].seen = nil }
      lines[place].earliest =
        lines[place].window.reduce(.distantFuture) { min($0, all[$1.index].instant) }
    }
    return further.sorted()
  }

  /// Notes when one becomes true, and the event that will say so.
  mutating func arm(_ index: Int, at instant: Instant, by token: EventToken?) {
    armedCount += (instant == .distantFuture ? 0 : 1) - (all[index].isArmed ? 1 : 0)
    all[index].instant = instant
    all[index].token = token
    let place = line(of: index)
    lines[place].earliest = min(lines[place].earliest, instant)
  }

  /// Its event has come: takes it out where it is true, and looks at it again where it is not.
  mutating func settle(_ index: Int, isTrue: Bool) {
    let place = line(of: index)
    lines[place].seen = nil
    if let entry = lines[place].window.firstIndex(where: { $0.index == index }) {
      if !isTrue { return }
      lines[place].window.remove(at: entry)
    } else if !isTrue {
      enter(index)
    }
    if isTrue { (all[index].isActive, all[index].action) = (false, {}) }
  }
}

extension Watches.Watch {
  fileprivate var isArmed: Bool { instant != .distantFuture }
}

extension PlaybackCondition {
  /// The condition without its bound, which stands for the property that it looks at, and the bound
  /// that this has to reach: one for a property that is true or not.
  var kindAndBound: (kind: PlaybackCondition, bound: Int64) {
    switch self {
    case .loaded(let time): (.loaded(.zero), time.nanoseconds)
    case .ahead(let time): (.ahead(.zero), time.nanoseconds)
    case .currentTime(let time): (.currentTime(.zero), time.nanoseconds)
    case .stalls(let count): (.stalls(0), count)
    case .loops(let count): (.loops(0), count)
    case .transitions(let count): (.transitions(0), count)
    // The highest bound is met first.
    case .loadedAtMost(let time): (.loadedAtMost(.zero), -time.nanoseconds)
    case .aheadAtMost(let time): (.aheadAtMost(.zero), -time.nanoseconds)
    case .currentTimeAtMost(let time): (.currentTimeAtMost(.zero), -time.nanoseconds)
    case .paused, .waiting, .playing, .likelyToKeepUp, .bufferFull, .bufferEmpty, .readyToPlay,
      .failed:
      (self, 1)
    }
  }
}

/// The facts that conditions of one kind look at: while they stay as they are, none of them comes
/// true at another instant than the last look found.
private struct WatchedFacts: Equatable {
  var course: PlayheadCourse?
  var value: Int64?
}

extension PlaybackCondition {
  /// The value that the bound is compared with; nil where no item has one.
  func value(of core: PlayerCore, at now: Instant) -> Int64? {
    func ofItem(_ time: MediaTime) -> Int64? { core.hasItem ? time.nanoseconds : nil }
    switch self {
    case .loaded: return ofItem(core.loadedEnd(at: now))
    case .ahead: return ofItem(core.loadedEnd(at: now) - core.currentTime(at: now))
    case .currentTime: return ofItem(core.currentTime(at: now))
    case .loadedAtMost: return ofItem(.zero - core.loadedEnd(at: now))
    case .aheadAtMost: return ofItem(core.currentTime(at: now) - core.loadedEnd(at: now))
    case .currentTimeAtMost: return ofItem(.zero - core.currentTime(at: now))
    case .stalls: return core.books.stallCount
    case .loops: return core.books.loopCount
    case .transitions: return core.books.transitionCount
    case .paused: return core.machine.control == .paused ? 1 : 0
    case .waiting: return core.machine.control.isWaiting ? 1 : 0
    case .playing: return core.machine.control == .playing ? 1 : 0
    case .likelyToKeepUp: return core.isPlaybackLikelyToKeepUp ? 1 : 0
    case .bufferFull: return core.isPlaybackBufferFull ? 1 : 0
    case .bufferEmpty: return core.isPlaybackBufferEmpty ? 1 : 0
    case .readyToPlay: return core.status == .readyToPlay ? 1 : 0
    case .failed: return core.hasFailed ? 1 : 0
    }
  }

  /// Nil where time alone changes them: media that comes in along a line.
  fileprivate func facts(of core: PlayerCore, at now: Instant) -> WatchedFacts? {
    let course = core.currentItem?.course()
    switch self {
    case .loaded, .ahead, .loadedAtMost, .aheadAtMost:
      if core.currentItem?.comesAlongLine == true { return nil }
      return WatchedFacts(course: course, value: core.loadedEnd(at: now).nanoseconds)
    case .currentTime, .currentTimeAtMost: return WatchedFacts(course: course)
    case .stalls, .loops, .transitions, .paused, .waiting, .playing, .likelyToKeepUp,
      .bufferFull, .bufferEmpty, .readyToPlay, .failed:
      return WatchedFacts(value: value(of: core, at: now))
    }
  }
}

extension World {
  /// Calls the app back when a condition becomes true of a player, or at once if it is; what is
  /// returned ends the wait in `stopObserving`.
  @discardableResult
  public func when(
    _ condition: PlaybackCondition, of player: SimulatedPlayer, _ action: @escaping () -> Void
  ) -> ObservationToken {
    watches.add(Watches.Watch(player: Int(player.core.index), condition: condition, action: action))
    // A negative number, as no observer has.
    let token = ObservationToken(number: -Int64(watches.all.count))
    afterwards()
    return token
  }

  func forget(watch index: Int) {
    guard index < watches.all.count, watches.all[index].isActive else { return }
    if let token = watches.all[index].token { _ = queue.cancel(token) }
    watches.arm(index, at: .distantFuture, by: nil)
    watches.settle(index, isTrue: true)
  }

  func armWatches() {
    for index in watches.takeLeft() {
      if let token = watches.all[index].token { _ = queue.cancel(token) }
      watches.arm(index, at: .distantFuture, by: nil)
    }
    var indices = watches.nearest(of: cores, at: now)
    repeat {
      for index in indices { arm(watch: index) }
      indices = watches.further(at: now)
    } while !indices.isEmpty
  }

  private func arm(watch index: Int) {
    let watch = watches.all[index]
    if !watch.isActive { return watches.settle(index, isTrue: true) }
    let instant = watch.condition.instant(of: cores[watch.player], after: now)
    if watch.instant == instant { return }
    if let token = watch.token { _ = queue.cancel(token) }
    let token =
      instant == .distantFuture
      ? nil
      : queue.schedule(
        EventPayload(kind: Kind.watch, argument: UInt32(index)), at: instant, phase: Step.app)
    watches.arm(index, at: instant, by: token)
  }

  func fire(_ index: Int) {
    watches.arm(index, at: .distantFuture, by: nil)
    let watch = watches.all[index]
    if !watch.isActive { return }
    let isTrue = watch.condition.isMet(by: cores[watch.player], at: now)
    watches.settle(index, isTrue: isTrue)
    if isTrue { watch.action() }
  }
}
