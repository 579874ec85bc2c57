import LinkConditioner
import SimulatedPlayback
import VirtualTime

struct RequestDescription {
  var options = RequestOptions()
  var connections: Int32?
  var isSecondVersion = false
  var standing: Int32 = 0

  private static let mostConnections: Int64 = 100
  private static let largestInitialWindow: Int64 = 256
  /// RFC 9113 §6.5.2: no fewer than 100 streams is what a server should allow.
  private static let streams: Int32 = 100

  static let form = keys.form(RequestDescription()) { part, object in
    var options = part.options
    if let connections = part.connections {
      options.http.version = .http1(connections: connections)
    }
    if part.isSecondVersion {
      options.http.version = .http2(streams: streams)
      if object.has("connectionsPerHost") {
        object.refuse(
          key: "connectionsPerHost", "HTTP/2 has one connection to a host",
          expected: "“http”: “1.1” beside it")
      }
    }
    let most = options.http.mostConnections
    if part.standing > most {
      object.refuse(
        key: "connectionsThere", "there are at most \(most) to a host",
        expected: "\(most) or fewer")
    }
    options.http.standingConnections = part.standing
    return options
  }

  private static let keys = KeyTable<Self>(
    "requests",
    "Transport of requests. In “fluid” connections are opened, and cost round trips, "
      + "only where a key of theirs differs from its default."
  ) {
    Key.optional(
      "connectionsPerHost", .whole(in: 1...mostConnections), absent: 6,
      "The most connections to a host with HTTP/1.1."
    ) { $0.connections = $1 }
    Key.optional(
      "http", .words([("1.1", false), ("2", true)]), absent: "1.1", "The version of HTTP."
    ) { $0.isSecondVersion = $1 }
    Key.optional(
      "tls", .words([("none", .none), ("1.2", .tls12), ("1.3", .tls13)]), absent: "none",
      "TLS version, which costs round trips."
    ) { $0.options.http.security = $1 }
    Key.optional(
      "idleTimeout", .spanAboveZero, absent: "60 s",
      "Time after which an idle connection is closed."
    ) { $0.options.http.idleTimeout = $1 }
    Key.optional(
      "connectionsThere", .whole(in: 0...mostConnections), absent: 0,
      "Connections to the media's server that are open and secured before the run begins, with "
        + "nothing sent on them; traffic that “sharesConnections” makes them warm."
    ) { $0.standing = $1 }
    Key.optional(
      "congestionControl", .words([("cubic", .cubic), ("reno", .reno)]), absent: "cubic",
      "Congestion control of the sender; for tcp alone."
    ) { $0.options.transport.connection.congestionControl = $1 }.only(.tcp)
    Key.optional(
      "initialWindow", .whole(in: 1...largestInitialWindow), absent: 10,
      "The segments that may be under way before anything is heard; for tcp alone."
    ) { $0.options.transport.connection.initialWindow = $1 }.only(.tcp)
    Key.optional(
      "slowStartAfterIdle", .boolean, absent: true,
      "Whether a pause shrinks the window; for tcp alone."
    ) { $0.options.transport.connection.slowStartAfterIdle = $1 }.only(.tcp)
    Key.optional(
      "idleLink", .words([("serialises", .serialises), ("passesAtOnce", .passesAtOnce)]),
      absent: "serialises", "Serialisation of a packet that finds the link idle; for tcp alone."
    ) { $0.options.transport.path.idleLink = $1 }.only(.tcp)
    Key.optional(
      "lossPosition", .words([("beforeQueue", .beforeQueue), ("afterQueue", .afterQueue)]),
      absent: "beforeQueue", "Place of random packet losses; for tcp alone."
    ) { $0.options.transport.path.lossPosition = $1 }.only(.tcp)
    Key.optional(
      "timeouts", timeouts,
      "Timeouts after which the client gives a request up; none by default."
    ) { $0.options.timeouts = $1 }
  }

  private static let timeouts = KeyTable<RequestTimeouts>(
    "timeouts", "Timeouts of a client."
  ) {
    Key.optional("firstByte", .spanAboveZero, "From the request to the first byte.") {
      $0.firstByte = $1
    }
    Key.optional("idle", .spanAboveZero, "Without a byte while the response is being read.") {
      $0.idle = $1
    }
    Key.optional("whole", .spanAboveZero, "From the request to the last byte.") { $0.whole = $1 }
  }.form(.none)
}

extension RequestOptions {
  /// The same over a link; nil where it says what the link does without it.
  ///
  /// In fluid no connections are opened unless a key of theirs differs from its default.
  func overLink(_ fidelity: Fidelity) -> RequestOptions? {
    var options = self
    if fidelity == .fluid, http == HTTPOptions() { options.http = .plain }
    return fidelity == .fluid && options == .plain ? nil : options
  }
}

// MARK: - Faults

/// Decoded keys of a fault, and of the requests that it hits.
struct FaultDescription {
  var fault: Fault?
  var numbers: ClosedRange<Int64>?
  var label: String?
  var chance = LossRatio.total

  static let form = keys.form(FaultDescription()) { part, _ in
    part.fault.map {
      FaultRule(
        $0, numbers: part.numbers, label: part.label.map { LabelPattern($0) }, chance: part.chance)
    }
  }

  /// One of the keys of which each names something that goes wrong.
  private static func fault<Value>(
    _ name: Fault.Name, _ form: Form<Value>, _ about: String,
    set: @escaping @Sendable (inout Self, Value) -> Void
  ) -> Key<Self> {
    .oneOf(name.rawValue, form, about, set: set)
  }

  private static let keys = KeyTable<Self>("fault", "Something that goes wrong with requests.") {
    fault(.status, .whole(in: 400...599), "The server answers with this error.") {
      $0.fault = .status($1)
    }
    fault(.reset, behind, "The connection is reset.") { $0.fault = .reset(afterBytes: $1) }
    fault(.stall, behind, "No further byte arrives.") { $0.fault = .stall(afterBytes: $1) }
    fault(.slowFirstByte, .spanAboveZero, "The server thinks that much longer.") {
      $0.fault = .slowFirstByte($1)
    }
    Key.optional(
      "requests", numbers,
      "Numbers of the requests, from 1: one, or the first and the last."
    ) { $0.numbers = $1 }
    Key.optional(
      "url", .text("movie.mp4*"),
      "URLs of the requests, * for anything: movie.mp4, and movie.mp4#head for a head atom "
        + "alone; leaked-1.mp4 of the first leaked player. In a stream what they are for, such as "
        + "mediaSegment, or where: video-2/segment14.m4s, video-2/playlist.m3u8, audio-0/*."
    ) { $0.label = $1 }
    Key.optional("chance", .chance, absent: "100 %", "Probability.") { $0.chance = $1 }
  }

  private static let behind = KeyTable<Int64>("behind", "A place in a response.") {
    Key.required("after", .bytes, "Share of the body that is sent before.") { $0 = $1 }
  }.form(0)

  /// One request by its number, or those from one to another.
  private static let numbers = Form.list(
    Form<[Int64]>.list(of: number, count: 2).then { (bounds, node) -> ClosedRange<Int64>? in
      guard bounds.count == 2, bounds[0] <= bounds[1] else {
        return node.refuse(
          "no range of requests", expected: "the first and the last, such as [2, 4]")
      }
      return bounds[0]...bounds[1]
    },
    or: number.map { $0...$0 })

  private static let number = Form<Int64>.whole(in: 1...ScenarioLimits.mostEvents)
}

// MARK: - Retries

struct RetryDescription {
  var attempts = RetryPolicy.standard.attempts
  var backOff = RetryPolicy.standard.backOff
  var longest: TimeSpan?

  static let form = KeyTable<Self>("retry", "The player's retries of a failed request.") {
    Key.optional(
      "attempts", .whole(in: 0...1_000), absent: 3,
      "Number of retries without a further byte."
    ) { $0.attempts = $1 }
    Key.optional(
      "backOff", .spanAboveZero, absent: "1 s",
      "The first wait; each further one is twice as long."
    ) { $0.backOff = $1 }
    Key.optional(
      "longestBackOff", .spanAboveZero,
      "The longest wait; by default 8 s, and never less than the first."
    ) { $0.longest = $1 }
  }.form(RetryDescription()) { part, _ in
    RetryPolicy(
      attempts: part.attempts, backOff: part.backOff,
      longestBackOff: part.longest ?? max(RetryPolicy.standard.longestBackOff, part.backOff))
  }
}
