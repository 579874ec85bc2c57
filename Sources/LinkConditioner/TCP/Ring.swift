/// A first-in, first-out queue in a circle of memory that grows and is used again.
///
/// Positions are absolute: the n-th element ever appended keeps position n until it is removed.
package struct Ring<Element: Sendable>: Sendable {
  private var storage: [Element]
  private var mask: Int64
  /// The position of the oldest element.
  package private(set) var first: Int64 = 0
  /// The position the next element will have.
  package private(set) var end: Int64 = 0

  /// - Parameter filler: The content of unused memory; never seen.
  package init(filler: Element) {
    storage = Array(repeating: filler, count: 16)
    mask = 15
  }

  @inline(__always)
  package var count: Int64 { end - first }

  @inline(__always)
  package var isEmpty: Bool { end == first }

  @inline(__always)
  package subscript(position: Int64) -> Element {
    get { storage[Int(truncatingIfNeeded: position & mask)] }
    _modify { yield &storage[Int(truncatingIfNeeded: position & mask)] }
  }

  @inline(__always)
  package mutating func append(_ element: Element) {
    if count > mask { grow() }
    storage[Int(truncatingIfNeeded: end & mask)] = element
    end += 1
  }

  @inline(__always)
  package mutating func removeFirst() -> Element {
    let element = storage[Int(truncatingIfNeeded: first & mask)]
    first += 1
    return element
  }

  private mutating func grow() {
    var wider = Array(repeating: storage[0], count: storage.count * 2)
    let widerMask = Int64(wider.count) - 1
    for position in first..<end {
      wider[Int(truncatingIfNeeded: position & widerMask)] =
        storage[Int(truncatingIfNeeded: position & mask)]
    }
    storage = wider
    mask = widerMask
  }
}
