import ExactText
package import VirtualTime

/// Decoders of plain numbers.
extension Decode {
  /// A whole number from zero up.
  package static func count(_ node: DocumentNode) -> Int64? {
    whole(node, from: 0, through: Int128(Int64.max), expected: "a whole number from 0 up")
      .flatMap { Int64(exactly: $0) }
  }

  /// A whole number within bounds, written as 20, 20.0 or 2e1.
  static func whole(_ node: DocumentNode, in bounds: ClosedRange<Int64>) -> Int64? {
    whole(
      node, from: Int128(bounds.lowerBound), through: Int128(bounds.upperBound),
      expected: "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
    ).flatMap { Int64(exactly: $0) }
  }

  /// The seed of a run: any 64 bits.
  package static func seed(_ node: DocumentNode) -> UInt64? {
    whole(node, from: 0, through: Int128(UInt64.max), expected: "a whole number from 0 up")
      .flatMap { UInt64(exactly: $0) }
  }

  /// A playback rate from zero up, as a number or as decimal text: 1.5 or "1.5".
  package static func playbackRate(_ node: DocumentNode) -> PlaybackRate? {
    guard let text = node.stringBytes ?? node.value.numberBytes else {
      node.refuseKind(expected: "a playback rate, such as 1.5")
      return nil
    }
    do throws(QuantityProblem) {
      return try Quantity.playbackRate(text)
    } catch {
      node.refuse(error)
      return nil
    }
  }

  private static func whole(
    _ node: DocumentNode, from least: Int128, through most: Int128, expected: String
  ) -> Int128? {
    guard let text = node.value.numberBytes else {
      node.refuseKind(expected: expected)
      return nil
    }
    do throws(ExactDecimal.Failure) {
      let (number, denominator) = try ExactDecimal(json: text).ratio(times: 1)
      guard denominator == 1 else { throw .tooFine }
      guard number <= most else { throw .tooLarge }
      if number >= least { return number }
      node.refuseKind(expected: expected)
    } catch {
      switch error {
      case .noNumber, .tooFine: node.refuseKind(expected: expected)
      case .tooLarge: node.refuseKind(expected: "a whole number of at most \(most)")
      }
    }
    return nil
  }
}
