import Autowait
package import StreamingMedia
package import VirtualTime

// What an app can say and know of the variants of a stream.

extension PlayerCore {
  /// Changes what the choice of variants goes by, and lets the player choose anew.
  package func constrainVariants(
    _ change: (inout VariantConstraints) -> Void, at now: Instant, on stage: inout Stage
  ) {
    begin(at: now)
    item?.settings.source.constrain(change)
    item?.loader.constrain(change)
    settle(at: now, on: &stage)
  }
}

extension MediaLoader {
  func constrain(_ change: (inout VariantConstraints) -> Void) {
    switch self {
    case .file: break
    case .stream(let loader):
      change(&loader.settings.constraints)
      loader.settings.constraints = loader.settings.constraints.without(loader.without)
      loader.choice.isDue = true
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
    case .stream(let loader): loader.meter.bitsPerSecond
    }
  }
}
