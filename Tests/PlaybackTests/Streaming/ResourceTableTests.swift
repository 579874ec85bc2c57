import LinkConditioner
import SimulatedPlayback
import StreamingMedia
import Testing
import VirtualTime

/// Playlists, keys and initialization sections: one array, one look-up.
@Suite struct ResourceTableTests {
  private static func key(_ name: String) -> EncryptionKey {
    EncryptionKey(method: .sampleAES, uri: name)
  }

  /// Three lists: two with the same key, one with two of its own; maps in the first and the last.
  private static var presentation: Presentation {
    func list(_ uri: String, _ keys: [String], maps: Int) -> SegmentList {
      SegmentList(
        uri: uri, segments: [], naming: .listed([]),
        maps: (0..<maps).map { SizedMap(uri: "\(uri)-\($0)", bytes: 10) }, keys: keys.map(key),
        targetDuration: .seconds(6))
    }
    return Presentation(
      uri: "master", variants: [],
      lists: [
        list("a", ["x"], maps: 1), list("b", ["x"], maps: 0), list("c", ["y", "x"], maps: 2),
      ],
      sessionKeys: [key("y"), key("unused")])
  }

  private static let everything: [StreamResource] = [
    .master, .playlist(0), .playlist(1), .playlist(2), .key(0), .key(1), .map(list: 0, 0),
    .map(list: 2, 0), .map(list: 2, 1),
  ]

  @Test func `each resource has a place of its own`() {
    for (number, resource) in Self.everything.enumerated() {
      var table = ResourceTable(Self.presentation)
      let id = TransferID(rawValue: Int32(number + 1))
      table.requested(resource, by: id)
      #expect(table.resource(by: id) == resource)
      for other in Self.everything {
        #expect(table[other] == (other == resource ? .underWay(id) : .missing))
      }
      #expect(table.came(by: id) == resource)
      for other in Self.everything {
        #expect(table[other] == (other == resource ? .there : .missing))
      }
    }
  }

  @Test func `a key that several lists name is one key`() {
    let table = ResourceTable(Self.presentation)
    #expect(table.keys.map(\.uri) == ["x", "y"])
    #expect(table.key(0, of: 0) == table.key(0, of: 1))
    #expect(table.key(0, of: 2) == .key(1))
    #expect(table.key(1, of: 2) == .key(0))
    #expect(table.lists(needing: 0) == [0, 1, 2])
    #expect(table.lists(needing: 1) == [2])
  }

  @Test func `an announced key that no list names is not fetched`() {
    #expect(ResourceTable(Self.presentation).announcedKeys == [1])
  }

  @Test func `what breaks is missing again`() {
    var table = ResourceTable(Self.presentation)
    table.requested(.playlist(1), by: TransferID(rawValue: 4))
    #expect(table.requestCount == 1)
    #expect(table.broke(by: TransferID(rawValue: 4)) == .playlist(1))
    #expect(table[.playlist(1)] == .missing)
    #expect(table.requestCount == 0)
  }

  @Test func `a request that takes the place of a broken one is told which, once`() {
    var table = ResourceTable(Self.presentation)
    for (number, resource) in [StreamResource.playlist(0), .key(1)].enumerated() {
      let id = TransferID(rawValue: Int32(number + 1))
      table.requested(resource, by: id)
      _ = table.broke(by: id)
      table.willRetry(resource, after: id)
    }
    table.requested(.playlist(2), by: TransferID(rawValue: 3))
    #expect(table.requestCount == 3)
    #expect(table.takeBroken(.playlist(1)) == nil)
    #expect(table.takeBroken(.key(1)) == TransferID(rawValue: 2))
    #expect(table.takeBroken(.key(1)) == nil)
    #expect(table.takeBroken(.playlist(0)) == TransferID(rawValue: 1))
  }

  @Test func `a request for something else is none of its own`() {
    var table = ResourceTable(Self.presentation)
    table.requested(.master, by: TransferID(rawValue: 1))
    #expect(table.resource(by: TransferID(rawValue: 2)) == nil)
    #expect(table.came(by: TransferID(rawValue: 2)) == nil)
    #expect(table.broke(by: TransferID(rawValue: 2)) == nil)
    #expect(table[.master] == .underWay(TransferID(rawValue: 1)))
  }

  @Test func `the first byte of an answer is known until all of it is there`() {
    var table = ResourceTable(Self.presentation)
    let ids = (1...2).map { TransferID(rawValue: $0) }
    table.requested(.map(list: 0, 0), by: ids[0])
    table.requested(.key(0), by: ids[1])
    #expect(table.firstByte(by: ids[0]) == nil)
    table.responded(ids[0], at: Instant(nanoseconds: 7))
    table.responded(TransferID(rawValue: 9), at: Instant(nanoseconds: 8))
    #expect(table.firstByte(by: ids[0]) == Instant(nanoseconds: 7))
    #expect(table.firstByte(by: ids[1]) == nil)
    _ = table.came(by: ids[0])
    #expect(table.firstByte(by: ids[0]) == nil)
  }

  @Test func `a playlist that is there can be read again`() {
    var table = ResourceTable(Self.presentation)
    table.requested(.playlist(0), by: TransferID(rawValue: 1))
    _ = table.came(by: TransferID(rawValue: 1))
    table.requested(.playlist(0), by: TransferID(rawValue: 2))
    #expect(table[.playlist(0)] == .underWay(TransferID(rawValue: 2)))
    #expect(table.came(by: TransferID(rawValue: 1)) == nil)
    _ = table.came(by: TransferID(rawValue: 2))
    table.discard(.playlist(0))
    #expect(table[.playlist(0)] == .missing)
  }

  @Test func `everything is given up in the order of the table`() {
    var table = ResourceTable(Self.presentation)
    for (number, resource) in Self.everything.reversed().enumerated() {
      table.requested(resource, by: TransferID(rawValue: Int32(number + 1)))
    }
    #expect(table.giveUpAll().map(\.rawValue) == [9, 8, 7, 6, 5, 4, 3, 2, 1])
    #expect(table.requestCount == 0)
    for resource in Self.everything { #expect(table[resource] == .missing) }
    #expect(table.giveUpAll().isEmpty)
  }
}
