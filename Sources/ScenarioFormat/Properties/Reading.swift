import PlayerPolicies
package import SimulatedPlayback
package import VirtualTime

/// The value that a row of properties, figures or log fields reads from its source, with its kind.
struct Reading<Source>: Sendable {
  let kind: PropertyKind
  /// Nil where there is no value yet.
  let value: @Sendable (Source) -> PropertyValue?
  /// Puts a value back that was read from a trace; nil where it follows from others.
  private(set) var restore: (@Sendable (inout Source, PropertyValue) -> Void)?

  /// A stored part of the source, which is read and put back by one access.
  static func stored<Value: StoredValue>(
    _ kind: PropertyKind = Value.kind,
    _ access: @escaping @Sendable (inout Source, (inout Value) -> Void) -> Void
  ) -> Reading {
    var reading = Reading(kind: kind) { source in
      var (source, value) = (source, PropertyValue.null)
      access(&source) { value = $0.asProperty }
      return value
    }
    reading.restore = { source, value in
      access(&source) { stored in if let value = Value(value) { stored = value } }
    }
    return reading
  }

  static func log(
    _ kind: LogKind, _ entries: @escaping @Sendable (Source) -> [LogEntry]?
  ) -> Reading {
    Reading(kind: .nullable(.entries(kind))) { source in
      entries(source).map { .entries($0) } ?? .null
    }
  }

  static func made<Value: StoredValue>(
    _ kind: PropertyKind = Value.kind, _ value: @escaping @Sendable (Source) -> Value
  ) -> Reading {
    Reading(kind: kind) { value($0).asProperty }
  }

  static func ranges(_ value: @escaping @Sendable (Source) -> [Range<MediaTime>]) -> Reading {
    Reading(kind: .ranges) { source in
      .ranges(value(source).map { $0.lowerBound.nanoseconds..<$0.upperBound.nanoseconds })
    }
  }
}

/// A stored value of a summary, of a log's entry or of the books in a trace.
package protocol StoredValue: SendableMetatype {
  static var kind: PropertyKind { get }
  var asProperty: PropertyValue { get }
  /// Nil where the value is of another sort.
  init?(_ value: PropertyValue)
}

extension Bool: StoredValue {
  package static var kind: PropertyKind { .boolean }
  package var asProperty: PropertyValue { .boolean(self) }
  package init?(_ value: PropertyValue) {
    guard case .boolean(let flag) = value else { return nil }
    self = flag
  }
}

extension Int64: StoredValue {
  package static var kind: PropertyKind { .count }
  package var asProperty: PropertyValue { .count(self) }
  package init?(_ value: PropertyValue) {
    guard case .count(let count) = value else { return nil }
    self = count
  }
}

extension BitRate: StoredValue {
  package static var kind: PropertyKind { .bitRate }
  package var asProperty: PropertyValue { .count(roundedDown) }
  package init?(_ value: PropertyValue) {
    guard let rate = Int64(value) else { return nil }
    self = .bitsPerSecond(rate)
  }
}

extension String: StoredValue {
  package static var kind: PropertyKind { .text }
  package var asProperty: PropertyValue { .text(self) }
  package init?(_ value: PropertyValue) {
    guard case .text(let text) = value else { return nil }
    self = text
  }
}

extension StoredValue where Self: RawRepresentable<String> {
  package static var kind: PropertyKind { .text }
  package var asProperty: PropertyValue { .text(rawValue) }
  package init?(_ value: PropertyValue) {
    guard let text = String(value), let word = Self(rawValue: text) else { return nil }
    self = word
  }
}

extension PlaybackOutcome: StoredValue {}
extension PlaybackType: StoredValue {}
extension StallClause: StoredValue {}

/// A stored time of the run or of the media.
package protocol StoredTime: StoredValue {
  var nanoseconds: Int64 { get }
  init(nanoseconds: Int64)
}

extension StoredTime {
  package static var kind: PropertyKind { .time }
  package var asProperty: PropertyValue { .time(nanoseconds) }
  package init?(_ value: PropertyValue) {
    guard case .time(let nanoseconds) = value else { return nil }
    self.init(nanoseconds: nanoseconds)
  }
}

extension TimeSpan: StoredTime {}
extension Instant: StoredTime {}
extension MediaTime: StoredTime {}

extension Optional: StoredValue where Wrapped: StoredValue {
  package static var kind: PropertyKind { .nullable(Wrapped.kind) }
  package var asProperty: PropertyValue { self?.asProperty ?? .null }
  package init?(_ value: PropertyValue) {
    if value == .null {
      self = .none
    } else if let wrapped = Wrapped(value) {
      self = .some(wrapped)
    } else {
      return nil
    }
  }
}
