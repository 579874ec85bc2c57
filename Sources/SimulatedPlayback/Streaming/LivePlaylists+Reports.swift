import StreamingMedia
import VirtualTime

// How far the other renditions have got: what a low-latency playlist says of them, and what that is
// good for.

extension LivePlaylists {
  // Appendix B.1: "one EXT-X-RENDITION-REPORT tag for each Media Playlist (Rendition) in the
  // Multivariant Playlist, except for the Media Playlist to which" it "is being added".
  /// The bytes of the reports in a playlist that was published at an instant.
  func reportBytes(in list: Int, of presentation: Presentation, at published: Instant) -> Int64 {
    guard let parts = stream.parts, parts.reports else { return 0 }
    if namesOfOthers[list].isEmpty {
      namesOfOthers[list] = presentation.lists.map {
        relativeURI(to: $0.uri, from: presentation.lists[list].uri)
      }
    }
    var bytes: Int64 = 0
    for other in presentation.lists.indices where other != list {
      let segments = presentation.lists[other]
      guard let last = segments.last(in: stream.listing(of: segments, at: published)) else {
        continue
      }
      bytes +=
        RenditionReport(
          uri: namesOfOthers[list][other],
          lastMediaSequence: segments.mediaSequence + Int64(last.segment),
          lastPart: last.part.map(Int64.init)
        ).writtenBytes
    }
    return bytes
  }

  /// The newest part of a list whose playlist was never read, by what another one says of it.
  func reportedPart(of list: Int, in presentation: Presentation) -> (segment: Int, part: Int)? {
    guard let parts = stream.parts, parts.reports, parts.blocksReload
    else { return nil }
    var newest: Instant?
    for other in listings.indices where other != list && listings[other].known != nil {
      newest = max(newest ?? .zero, listings[other].published)
    }
    guard let newest else { return nil }
    let segments = presentation.lists[list]
    guard let last = segments.last(in: stream.listing(of: segments, at: newest)),
      let part = last.part
    else { return nil }
    return (last.segment, part)
  }
}
