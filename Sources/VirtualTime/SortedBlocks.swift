/// The pending events in their total order, in blocks of sorted memory.
///
/// A simulated session has a dozen events pending, and there one sorted array is quicker than any
/// heap: the next event is the last element, and a new one is put in its place by one short move.
/// With more events the array is cut into blocks, found through a directory, so that the move
/// stays short. Everything is where its key says: cancelling is a search and a removal, and
/// nothing cancelled stays behind.
///
/// Both directory and blocks run from late to early, so that the near end, where nearly
/// everything happens, is the end that is cheap to change.
///
/// Sendable because it alone owns the memory behind its pointers.
struct SortedBlocks: ~Copyable, @unchecked Sendable {
  /// A run of events, late to early, and the least key that belongs into it. The last block takes
  /// whatever is earlier than all others; its least key is never asked for.
  private struct Block {
    var leastKey: UInt128
    var events: UnsafeMutablePointer<ScheduledEvent>
    var count: Int
  }

  private(set) var count = 0

  /// The directory. The slots behind the last block in use keep their memory for the next one.
  private var blocks: UnsafeMutablePointer<Block>
  private var blockCount = 1
  private var directoryCapacity = 8
  private let memory: Memory

  /// The memory freed in the end: a class, because its `deinit` also runs for users of the queue in
  /// another module, where the browser build cannot see that of a struct.
  private final class Memory {
    var blocks: UnsafeMutablePointer<Block>
    var ownedBlocks = 1

    init(_ blocks: UnsafeMutablePointer<Block>) { self.blocks = blocks }

    deinit {
      for index in 0..<ownedBlocks {
        blocks[index].events.deallocate()
      }
      blocks.deallocate()
    }
  }

  private static var blockCapacity: Int { 48 }

  init() {
    blocks = .allocate(capacity: directoryCapacity)
    blocks.initialize(
      to: Block(leastKey: 0, events: .allocate(capacity: Self.blockCapacity), count: 0))
    memory = Memory(blocks)
  }

  var first: ScheduledEvent? {
    if count == 0 { return nil }
    let block = blocks + (blockCount &- 1)
    return block.pointee.events[block.pointee.count &- 1]
  }

  /// Takes away what `first` shows.
  ///
  /// - Precondition: there is a first.
  mutating func removeFirst() {
    assert(count > 0, "an event is pending")
    let last = blockCount &- 1
    count &-= 1
    blocks[last].count &-= 1
    if blocks[last].count == 0 { releaseBlock(at: last) }
  }

  /// Puts an event where it belongs.
  ///
  /// Not inlined: the loop gets the registers to itself, which measured a tenth.
  @inline(never)
  mutating func insert(_ event: ScheduledEvent) {
    let key = event.key
    var index = blockIndex(of: key)
    if blocks[index].count == Self.blockCapacity {
      splitBlock(at: index)
      if key < blocks[index].leastKey { index &+= 1 }
    }
    let block = blocks + index
    let events = block.pointee.events
    var gap = events + block.pointee.count
    // From the near end, element by element: searching first and then moving the rest at once
    // measured a third slower at 16 pending.
    while gap > events, (gap - 1).pointee.key < key {
      gap.initialize(to: (gap - 1).pointee)
      gap -= 1
    }
    gap.initialize(to: event)
    assert(gap == events || (gap - 1).pointee.key > key, "no two events have the same key")
    block.pointee.count &+= 1
    count &+= 1
  }

  mutating func remove(_ key: UInt128) -> Bool {
    let index = blockIndex(of: key)
    let block = blocks + index
    let events = block.pointee.events
    let place = Self.count(of: block.pointee.count) { events[$0].key > key }
    let event = events + place
    let behind = block.pointee.count &- place &- 1
    if behind < 0 || event.pointee.key != key { return false }
    event.moveInitialize(from: event + 1, count: behind)
    block.pointee.count &-= 1
    count &-= 1
    if block.pointee.count == 0 { releaseBlock(at: index) }
    return true
  }

  /// The number of places, of so many that run from late to early, that come later than a key.
  @inline(__always)
  private static func count(of places: Int, where isLater: (Int) -> Bool) -> Int {
    var low = 0
    var length = places
    while length > 0 {
      let half = (length &+ 1) &>> 1
      if isLater(low &+ half &- 1) { low &+= half }
      length &-= half
    }
    return low
  }

  @inline(__always)
  private func blockIndex(of key: UInt128) -> Int {
    let blocks = blocks
    return Self.count(of: blockCount &- 1) { blocks[$0].leastKey > key }
  }

  /// Leaves the later half of a full block where it is and puts the earlier into one behind it.
  @inline(never)
  private mutating func splitBlock(at index: Int) {
    let fresh = spareEvents()
    let half = Self.blockCapacity / 2
    (blocks + index + 2).moveInitialize(from: blocks + index + 1, count: blockCount - index - 1)
    let old = blocks[index]
    fresh.moveInitialize(from: old.events + half, count: half)
    blocks[index] = Block(leastKey: old.events[half - 1].key, events: old.events, count: half)
    (blocks + index + 1).initialize(to: Block(leastKey: old.leastKey, events: fresh, count: half))
    blockCount += 1
  }

  /// Memory for one more block, with room for it in the directory.
  private mutating func spareEvents() -> UnsafeMutablePointer<ScheduledEvent> {
    if blockCount < memory.ownedBlocks { return blocks[blockCount].events }
    if memory.ownedBlocks == directoryCapacity {
      let larger = UnsafeMutablePointer<Block>.allocate(capacity: directoryCapacity * 2)
      larger.moveInitialize(from: blocks, count: memory.ownedBlocks)
      blocks.deallocate()
      blocks = larger
      memory.blocks = larger
      directoryCapacity *= 2
    }
    memory.ownedBlocks += 1
    return .allocate(capacity: Self.blockCapacity)
  }

  /// Puts an empty block's memory aside; its keys fall to the neighbour on the near side.
  @inline(never)
  private mutating func releaseBlock(at index: Int) {
    if blockCount == 1 { return }
    let empty = blocks[index]
    let last = blockCount - 1
    (blocks + index).moveInitialize(from: blocks + index + 1, count: last - index)
    (blocks + last).initialize(to: empty)
    blockCount = last
  }
}
