import StreamingMedia
import VirtualTime

// What is asked of a loader about the variants of a stream.

extension MediaLoader {
  func constrain(_ change: (inout VariantConstraints) -> Void) {
    switch self {
    case .file: break
    case .stream(let loader):
      var constraints = loader.settings.constraints
      change(&constraints)
      if constraints == loader.settings.constraints { return }
      loader.settings.constraints = constraints
      loader.choice.isDue = true
    }
  }

  /// What is loaded of a stream's main track; nil for a file, and before the first choice.
  var mainBuffer: SegmentBuffer? {
    switch self {
    case .file: nil
    case .stream(let loader): loader.intake.tracks.first?.buffer
    }
  }

  var variant: Int? {
    switch self {
    case .file: nil
    case .stream(let loader): loader.choice.current
    }
  }

  var indicatedBitRate: Int64? {
    switch self {
    case .file: nil
    case .stream(let loader):
      loader.choice.current.map { loader.presentation.variants[$0].attributes.bandwidth }
    }
  }

  var observedBitRate: Int64? {
    switch self {
    case .file: nil
    case .stream(let loader): loader.policy.observedBitRate
    }
  }

  /// What the choice of variants goes by, what holds for all items included; nil for a file.
  var constraints: VariantConstraints? {
    switch self {
    case .file: nil
    case .stream(let loader): loader.settings.constraints
    }
  }
}
