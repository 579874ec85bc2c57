import Foundation
import StreamingMedia
import Testing

/// Real playlists of other projects, which stay where they are.
///
/// `GOLDILOCKS_PLAYLISTS` names a folder; every `.m3u8` below it is read. What is refused is listed
/// with its reason, so that the list can be judged against the RFC.
@Suite struct PlaylistCorpusTests {
  static let folder = ProcessInfo.processInfo.environment["GOLDILOCKS_PLAYLISTS"]

  @Test(.enabled(if: folder != nil))
  func `every playlist of a folder parses or is refused for a stated reason`() throws {
    let root = URL(filePath: try #require(Self.folder))
    var (media, multivariant, refused, remarked) = (0, 0, 0, 0)
    for file in try playlists(below: root) {
      let name = file.path.replacing(root.path + "/", with: "")
      let bytes = [UInt8](try Data(contentsOf: file))
      do {
        let reading = try Playlist.read(bytes, in: PlaylistContext(uri: file.absoluteString))
        switch reading.playlist {
        case .media: media += 1
        case .multivariant: multivariant += 1
        }
        if !reading.remarks.isEmpty { remarked += 1 }
      } catch {
        refused += 1
        #expect(!error.faults.isEmpty)
        print(error.description(file: name))
      }
    }
    print("\(media) media, \(multivariant) multivariant, \(refused) refused; \(remarked) remarked")
    #expect(media + multivariant + refused > 0, "no playlist below \(root.path)")
  }

  private func playlists(below root: URL) throws -> [URL] {
    let found = try #require(
      FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    return found.compactMap { $0 as? URL }
      .filter { $0.pathExtension == "m3u8" }
      .sorted { $0.path < $1.path }
  }
}
