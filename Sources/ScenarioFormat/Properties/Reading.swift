import VirtualTime

/// What a row of properties or of figures reads from its source, and what sort of value that is.
struct Reading<Source>: Sendable {
  let kind: PropertyKind
  /// Nil where there is no value yet.
  let value: @Sendable (Source) -> PropertyValue?

  static func of(
    _ kind: PropertyKind, _ value: @escaping @Sendable (Source) -> PropertyValue?
  ) -> Reading {
    Reading(kind: kind, value: value)
  }

  /// One that may be null.
  static func nullable(
    _ kind: PropertyKind, _ value: @escaping @Sendable (Source) -> PropertyValue
  ) -> Reading {
    Reading(kind: .nullable(kind), value: value)
  }

  static func flag(_ value: @escaping @Sendable (Source) -> Bool) -> Reading {
    Reading(kind: .boolean) { .boolean(value($0)) }
  }

  static func text(_ value: @escaping @Sendable (Source) -> String) -> Reading {
    Reading(kind: .text) { .text(value($0)) }
  }

  static func count(_ value: @escaping @Sendable (Source) -> Int64) -> Reading {
    Reading(kind: .count) { .count(value($0)) }
  }

  static func bytes(_ value: @escaping @Sendable (Source) -> Int64) -> Reading {
    Reading(kind: .bytes) { .count(value($0)) }
  }

  /// A length of run time.
  static func time(_ value: @escaping @Sendable (Source) -> TimeSpan) -> Reading {
    Reading(kind: .time) { .span(value($0)) }
  }

  /// A place in media, or a length of it.
  static func media(_ value: @escaping @Sendable (Source) -> MediaTime) -> Reading {
    Reading(kind: .time) { .media(value($0)) }
  }

  static func rate(_ value: @escaping @Sendable (Source) -> PlaybackRate) -> Reading {
    Reading(kind: .rate) { .rate(value($0)) }
  }

  static func ranges(_ value: @escaping @Sendable (Source) -> [Range<MediaTime>]) -> Reading {
    Reading(kind: .ranges) { source in
      .ranges(value(source).map { $0.lowerBound.nanoseconds..<$0.upperBound.nanoseconds })
    }
  }
}

extension PropertyValue {
  static func span(_ span: TimeSpan?) -> PropertyValue {
    span.map { .time($0.nanoseconds) } ?? .null
  }

  static func media(_ time: MediaTime?) -> PropertyValue {
    time.map { .time($0.nanoseconds) } ?? .null
  }

  static func whole(_ number: Int64?) -> PropertyValue { number.map { .count($0) } ?? .null }

  static func word(_ word: String?) -> PropertyValue { word.map { .text($0) } ?? .null }

  static func log(_ entries: [LogEntry]?) -> PropertyValue {
    entries.map { .entries($0) } ?? .null
  }
}
