import StreamingMedia
import VirtualTime

// What is asked of a loader about the variants of a stream.

extension MediaLoader {
  func constrain(_ change: (inout VariantConstraints) -> Void) {
    guard let stream else { return }
    var constraints = stream.settings.constraints
    change(&constraints)
    if constraints == stream.settings.constraints { return }
    stream.settings.constraints = constraints
    stream.choice.isDue = true
  }

  /// What is loaded of a stream's main track; nil for a file, and before the first choice.
  var mainBuffer: SegmentBuffer? { stream?.intake.tracks.first?.buffer }

  var variant: Int? { stream?.choice.current }

  var indicatedBitRate: Int64? {
    guard let stream, let variant = stream.choice.current else { return nil }
    return stream.presentation.variants[variant].attributes.bandwidth
  }

  var observedBitRate: Int64? { stream?.policy.observedBitRate }

  /// What the choice of variants goes by, what holds for all items included; nil for a file.
  var constraints: VariantConstraints? { stream?.settings.constraints }
}
