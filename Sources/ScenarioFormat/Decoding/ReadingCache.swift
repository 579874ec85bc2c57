import ExactText
import LinkConditioner
import SimulatedPlayback

/// What was read of documents that are much alike, such as those of one scenario under several
/// policies: their media, and the recordings that they name.
///
/// It serves one scenario's folder and one thread.
package final class ReadingCache {
  private var media: [(text: [UInt8], source: MediaSource)] = []
  private var recordings: [(path: String, options: ImportOptions, imported: Imported)] = []
  private var files: [ScenarioFile] = []

  /// How many of each are kept; the oldest goes first.
  private static let most = 8

  package init() {}

  func media(_ node: DocumentNode) -> MediaSource? {
    let text = node.value.text
    if let known = media.first(where: { text.elementsEqual($0.text) }) { return known.source }
    guard let source = Form.media.read(node) else { return nil }
    if media.count == Self.most { media.removeFirst() }
    media.append((Array(text), source))
    return source
  }

  func imported(
    _ file: ScenarioFile, _ options: ImportOptions
  ) throws(ImportError) -> Imported {
    if let known = recordings.first(where: {
      isSameText($0.path, file.path) && $0.options == options
    }) {
      return known.imported
    }
    let imported = try Imported(Array(file.text.utf8), options: options)
    if recordings.count == Self.most { recordings.removeFirst() }
    recordings.append((file.path, options, imported))
    return imported
  }

  func file(_ path: String) -> ScenarioFile? {
    files.first { isSameText($0.path, path) }
  }

  func keep(_ file: ScenarioFile) {
    if files.count == Self.most { files.removeFirst() }
    files.append(file)
  }
}
