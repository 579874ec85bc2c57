import Autowait
import StreamingMedia
import VirtualTime

// What is still missing of a file, as a heuristic is told of it.

extension FileLoader {
  /// The corners of everything missing from a range on, counted as the range's transfer counts.
  func demandCurve(_ range: Range<Int64>, base: Int64) -> DemandCurve {
    let map = file.map
    var knots: [DemandCurve.Knot] = []
    knots.reserveCapacity(map.corners.count + 1)
    var gap = range
    var counted = range.lowerBound - base
    var corner = 0
    while true {
      let start = map.time(ofFirst: gap.lowerBound)
      append(DemandCurve.Knot(time: start, bytes: counted), to: &knots)
      while corner < map.corners.count, map.corners[corner].bytes <= gap.upperBound {
        let here = map.corners[corner]
        corner += 1
        if here.bytes < gap.lowerBound || here.time <= start { continue }
        append(
          DemandCurve.Knot(time: here.time, bytes: counted + here.bytes - gap.lowerBound),
          to: &knots)
      }
      counted += gap.upperBound - gap.lowerBound
      append(
        DemandCurve.Knot(time: map.time(ofFirst: gap.upperBound), bytes: counted), to: &knots)
      let next = loaded.contiguousEnd(from: gap.upperBound)
      if next >= map.bytes { break }
      gap = next..<(loaded.nextStart(after: next) ?? map.bytes)
    }
    return DemandCurve(knots: knots)
  }

  private func append(_ knot: DemandCurve.Knot, to knots: inout [DemandCurve.Knot]) {
    if let last = knots.last, last.time >= knot.time {
      knots[knots.count - 1].bytes = max(last.bytes, knot.bytes)
    } else {
      knots.append(knot)
    }
  }
}
