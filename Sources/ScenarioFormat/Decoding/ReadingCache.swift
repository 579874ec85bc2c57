import ExactText
package import LinkConditioner
import SimulatedPlayback

/// Media and recordings read for documents that are much alike, such as those of one scenario under
/// several policies, in one folder and on one thread.
package final class ReadingCache {
  private var media: [(text: [UInt8], source: MediaSource, files: [ScenarioFile])] = []
  private var recordings: [(path: String, options: ImportOptions, imported: Imported)] = []
  private var files: [ScenarioFile] = []
  private let shared: SharedRecordings

  /// The number of each that is kept; the oldest goes first.
  private static let most = 8

  package init(_ shared: SharedRecordings = SharedRecordings()) { self.shared = shared }

  /// The media of a document, which are read first: nothing else has opened a file by then.
  func media(_ node: DocumentNode) -> MediaSource? {
    let text = node.value.text
    if let known = media.first(where: { text.elementsEqual($0.text) }) {
      node.shelf.files = known.files
      return known.source
    }
    guard let source = Form.media.read(node) else { return nil }
    if media.count == Self.most { media.removeFirst() }
    media.append((Array(text), source, node.shelf.files))
    return source
  }

  func imported(_ file: ScenarioFile, _ options: ImportOptions) throws(ImportError) -> Imported {
    if shared.options == options, let known = shared.imported[file.path] { return known }
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

  func file(_ path: String) -> ScenarioFile? { files.first { isSameText($0.path, path) } }

  func keep(_ file: ScenarioFile) {
    if files.count == Self.most { files.removeFirst() }
    files.append(file)
  }
}

/// Recordings that were imported before any document named them, by their path.
package struct SharedRecordings: Sendable {
  package let options: ImportOptions
  fileprivate private(set) var imported: [String: Imported] = [:]
  /// The number of further steps that are kept.
  private var room = 200_000

  package init(_ options: ImportOptions = ImportOptions()) { self.options = options }

  /// Keeps what a file holds, as long as all steps together take less than about 25 MB.
  package mutating func keep(_ new: Imported, at path: String) {
    guard case .trace(let trace) = new, trace.schedule.steps.count <= room else { return }
    if imported.updateValue(new, forKey: path) == nil { room -= trace.schedule.steps.count }
  }
}
