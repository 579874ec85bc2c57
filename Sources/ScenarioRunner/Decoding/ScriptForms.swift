import SimulatedPlayback
import StreamingMedia
import VirtualTime

extension Decode {
  static func configuredOffset(_ object: inout DocumentObject) -> AppAction? {
    object.required("to", as: anyPlace).map { .live(.setConfiguredOffset($0)) }
  }

  static func preservation(_ object: inout DocumentObject) -> AppAction? {
    object.required("to", as: boolean).map { .live(.setPreservesOffset($0)) }
  }

  static func networkUse(_ object: inout DocumentObject) -> AppAction? {
    object.required("to", as: boolean).map { .live(.setUsesNetworkWhilePaused($0)) }
  }

  /// A place in media, or null.
  static func anyPlace(_ node: DocumentNode) -> MediaTime?? {
    nullable(mediaPlace)(node)
  }

  static func networkResourcePriority(_ node: DocumentNode) -> NetworkResourcePriority? {
    Form.networkResourcePriority.read(node)
  }

  static func layer(_ node: DocumentNode) -> PixelSize? { Form.layer.read(node) }
}
