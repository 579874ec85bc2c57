extension SegmentList {
  /// URI of a segment, resolved against that of its playlist.
  package func uri(of index: Int) -> String {
    switch naming {
    case .listed(let names): resolvedURI(names[index], against: uri)
    case .numbered(let prefix, let suffix):
      resolvedURI("\(prefix)\(mediaSequence + Int64(index))\(suffix)", against: uri)
    }
  }

  package func uri(ofMap index: Int) -> String { resolvedURI(maps[index].uri, against: uri) }
}
