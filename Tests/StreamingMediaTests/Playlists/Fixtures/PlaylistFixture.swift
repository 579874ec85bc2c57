import Testing

/// A playlist of our own making, of a kind that is met in the wild.
struct PlaylistFixture: Sendable, CustomTestStringConvertible {
  let name: String
  let text: String

  init(_ name: String, _ text: String, lineEnd: String = "\n") {
    self.name = name
    self.text = text.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: lineEnd)
  }

  var bytes: [UInt8] { Array(text.utf8) }

  var testDescription: String { name }

  static let all: [PlaylistFixture] = [
    .multivariantMuxed, .multivariantSeparateAudio, .framesOnly, .vodBitRates, .vodByteRanges,
    .vodTenSeconds, .encryptedRotating, .eventWithVariables, .liveCarriageReturns, .liveDeltaUpdate,
    .liveLowLatency,
  ]
}
