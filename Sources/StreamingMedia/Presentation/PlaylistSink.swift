/// Output of a playlist writer, piece by piece.
package protocol PlaylistSink {
  mutating func write(_ text: String)
  mutating func write(_ number: Int64)
}

extension String: PlaylistSink {
  package mutating func write(_ number: Int64) { self += "\(number)" }
}

/// Counts what would be written: long playlists are sized more often than read.
struct CountingSink: PlaylistSink {
  private(set) var bytes: Int64 = 0

  mutating func write(_ text: String) { bytes += Int64(text.utf8.count) }

  mutating func write(_ number: Int64) {
    var rest = number
    repeat {
      bytes += 1
      rest /= 10
    } while rest != 0
  }
}
