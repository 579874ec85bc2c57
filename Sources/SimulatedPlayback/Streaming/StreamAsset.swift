import StreamingMedia
import VirtualTime

/// A stream as an asset: what of it is loaded once, whoever plays it.
final class StreamAsset {
  let presentation: Presentation
  // Not checked at run time for overlapping accesses: nothing that is called while they change
  // knows an asset.
  @exclusivity(unchecked) var resources: ResourceTable
  /// For the multivariant playlist; what hangs from it has troubles of its own.
  @exclusivity(unchecked) var retry: RetryClock

  init(_ presentation: Presentation, retry: RetryPolicy) {
    self.presentation = presentation
    self.retry = RetryClock(retry)
    resources = ResourceTable(presentation)
  }
}
