extension SegmentList {
  /// Where a segment is, as seen from where the presentation is.
  package func uri(of index: Int) -> String {
    switch naming {
    case .listed(let names): resolvedURI(names[index], against: uri)
    case .numbered(let prefix, let suffix):
      resolvedURI("\(prefix)\(mediaSequence + Int64(index))\(suffix)", against: uri)
    }
  }

  /// Where an initialization section is.
  package func uri(ofMap index: Int) -> String {
    resolvedURI(maps[index].uri, against: uri)
  }
}
