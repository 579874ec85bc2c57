extension URIReference {
  /// The path of the file that it names where files lie as they do on the server; nil where it
  /// names another place.
  ///
  /// A query is what a server makes of a file; it is no part of its name.
  package var filePath: String? {
    if scheme != nil || authority != nil || path.isEmpty { return nil }
    return percentDecoded(Array(path.utf8)[...])
  }
}
