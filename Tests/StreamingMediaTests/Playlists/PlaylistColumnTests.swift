import StreamingMedia
import Testing

/// The column of what is wrong in a line of a playlist: a ¦ stands before it.
@Suite struct PlaylistColumnTests {
  @Test(arguments: [
    "#EXT-X-STREAM-INF:BANDWIDTH=¦99999999999999999999\na.m3u8",
    "#EXT-X-STREAM-INF:CODECS=\"BANDWIDTH=1,BANDWIDTH=2\",BANDWIDTH=¦x\na.m3u8",
    "#EXT-X-STREAM-INF:CODECS=\"ä,ö\",BANDWIDTH=¦x\na.m3u8",
    "#EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=1, BANDWIDTH=¦-1\na.m3u8",
    "#EXT-X-STREAM-INF:¦CODECS=\"a\"\na.m3u8",
    "#EXT-X-TARGETDURATION:10\n#EXT-X-MAP:URI=¦a",
    "#EXT-X-TARGETDURATION:10\n#EXT-X-MAP:URI=\"a\",¦URI=\"b\"",
    "#EXT-X-TARGETDURATION:10\n#EXT-X-MAP:URI=\"URI=,URI=\",BYTERANGE=\"1@1\",¦URI=\"b\"",
    "#EXT-X-TARGETDURATION:10\n#EXT-X-MAP:URI=\"äöü\",¦URI=\"b\"",
    "#EXT-X-TARGETDURATION:10\n#EXT-X-MAP:¦URI=\"a",
    "#EXT-X-TARGETDURATION:10\n#EXT-X-KEY:¦METHOD=AES-128",
    "#EXT-X-TARGETDURATION:¦0",
    "#EXT-X-TARGETDURATION:¦0\r",
    "¦#EXT-X-TARGETDURATION:",
    "¦#EXT-X-TARGETDURATION",
    "#EXT-X-TARGETDURATION:10\n#EXTINF:¦-1,\na.ts",
    "#EXT-X-TARGETDURATION:10\n¦a.ts",
    "#EXT-X-TARGETDURATION:10\n¦#EXT-X-TARGETDURATION:10",
    "#EXT-X-TARGETDURATION:10\n¦#EXT-X-VERSION:99",
    "¦#EXT-X-STREAM-INF:BANDWIDTH=1",
  ])
  func `a fault is where the wrong value or the wrong line begins`(marked: String) throws {
    let text = "#EXTM3U\n" + marked.replacing("¦", with: "")
    let line = try #require(
      ("#EXTM3U\n" + marked).split(separator: "\n").enumerated()
        .first { $0.element.contains("¦") })
    let column = line.element.unicodeScalars.prefix { $0 != "¦" }.count + 1
    do {
      _ = try Playlist.read(Array(text.utf8))
      Issue.record("nothing is wrong")
    } catch {
      let fault = try #require(error.faults.first)
      #expect(fault.place.line.map { Int($0) } == line.offset + 1)
      #expect(fault.column(in: Array(text.utf8)) == column, "\(fault.problem)")
    }
  }

  /// The fault is in the second line; another text is looked at than was read.
  @Test(
    arguments: [
      ("", 1), ("#EXTM3U", 1), ("#EXTM3U\n", 1), ("#EXTM3U\nBANDWIDTH=1", 1), ("\n:BANDWIDTH=", 12),
      ("\nx,  BANDWIDTH=7\n", 15), (":BANDWIDTH=1\n:BANDWIDT=", 1), ("\n:\"BANDWIDTH=\"", 1),
    ])
  func `where the line or the value is not found a fault is at the beginning`(
    text: String, column: Int
  ) throws {
    let wrong = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=x\na.m3u8"
    let error = #expect(throws: PlaylistRefusal.self) { try Playlist.read(Array(wrong.utf8)) }
    let fault = try #require(error?.faults.first)
    #expect(fault.column(in: Array(text.utf8)) == column)
  }

  @Test func `a fault of the whole file is at its beginning`() throws {
    let error = #expect(throws: PlaylistRefusal.self) { try Playlist.read([]) }
    let fault = try #require(error?.faults.first)
    #expect(fault.column(in: Array("a:b=c".utf8)) == 1)
  }
}
