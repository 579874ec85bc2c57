import ExactText
import LinkConditioner
import SimulatedPlayback

struct RequestDescription {
  var options = RequestOptions()
  var isSecondVersion = false

  private static let mostConnections: Int64 = 100
  private static let largestInitialWindow: Int64 = 256
  /// RFC 9113 §6.5.2: no fewer than 100 streams is what a server should allow.
  private static let streams: Int32 = 100

  static let form = keys.form(RequestDescription()) { part, object in
    var options = part.options
    if part.isSecondVersion {
      options.http.version = .http2(streams: streams)
      if object.has("connectionsPerHost") {
        object.refuse(
          key: "connectionsPerHost", "HTTP/2 has one connection to a host",
          expected: "“http”: “1.1” beside it")
      }
    }
    let most = options.http.version.mostConnections
    if options.http.standingConnections > most {
      object.refuse(
        key: "connectionsThere", "there are at most \(most) to a host",
        expected: "\(most) or fewer")
    }
    return options
  }

  private static let keys = KeyTable<Self>(
    "requests",
    "Transport of requests. In “fluid” connections are opened, and cost round trips, "
      + "only where a key of theirs differs from its default."
  ) {
    Key.optional(
      "connectionsPerHost", { $0.options.http.version = .http1(connections: $1) },
      .whole(in: 1...mostConnections), absent: 6,
      "The most connections to a host with HTTP/1.1.")
    Key.optional(
      "http", { $0.isSecondVersion = $1 }, .words([("1.1", false), ("2", true)]), absent: "1.1",
      "The version of HTTP.")
    Key.optional(
      "tls", { $0.options.http.security = $1 },
      .words([("none", .none), ("1.2", .tls12), ("1.3", .tls13)]), absent: "none",
      "TLS version, which costs round trips.")
    Key.optional(
      "idleTimeout", { $0.options.http.idleTimeout = $1 }, .spanAboveZero, absent: "60 s",
      "Time after which an idle connection is closed.")
    Key.optional(
      "connectionsThere", { $0.options.http.standingConnections = $1 },
      .whole(in: 0...mostConnections), absent: 0,
      "Connections to the media's server that are open and secured before the run begins, with "
        + "nothing sent on them; traffic that “sharesConnections” makes them warm.")
    Key.optional(
      "congestionControl", { $0.options.transport.connection.congestionControl = $1 },
      .words([("cubic", .cubic), ("reno", .reno), ("bbr", .bbr)]), absent: "cubic", only: .tcp,
      "Congestion control of the sender; for tcp alone.")
    Key.optional(
      "initialWindow", { $0.options.transport.connection.initialWindow = $1 },
      .whole(in: 1...largestInitialWindow), absent: 10, only: .tcp,
      "Initial congestion window in TCP segments (packets); for tcp alone.")
    Key.optional(
      "slowStartAfterIdle", { $0.options.transport.connection.slowStartAfterIdle = $1 }, .boolean,
      absent: true, only: .tcp, "Whether a pause shrinks the window; for tcp alone.")
    Key.optional(
      "idleLink", { $0.options.transport.path.idleLink = $1 },
      .words([("serialises", .serialises), ("passesAtOnce", .passesAtOnce)]), absent: "serialises",
      only: .tcp, "Serialisation of a packet that finds the link idle; for tcp alone.")
    Key.optional(
      "bucketDepth", { $0.options.transport.path.bucketBytes = $1 }, .bytes, absent: "1514 B",
      only: .bucket, "Depth of the token bucket of an idleLink that “passesAtOnce”; for tcp alone.")
    Key.optional(
      "lossPosition", { $0.options.transport.path.lossPosition = $1 },
      .words([("beforeQueue", .beforeQueue), ("afterQueue", .afterQueue)]), absent: "beforeQueue",
      only: .tcp, "Place of random packet losses; for tcp alone.")
    Key.optional(
      "timeouts", { $0.options.timeouts = $1 }, timeouts,
      "Timeouts after which the client gives a request up; none by default.")
  }

  private static let timeouts = KeyTable<RequestTimeouts>("timeouts", "Timeouts of a client.") {
    Key.optional(
      "firstByte", { $0.firstByte = $1 }, .spanAboveZero, "From the request to the first byte.")
    Key.optional(
      "idle", { $0.idle = $1 }, .spanAboveZero, "Without a byte while the response is being read.")
    Key.optional("whole", { $0.whole = $1 }, .spanAboveZero, "From the request to the last byte.")
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

extension FaultRule {
  static let form = KeyTable<Self>("fault", "Something that goes wrong with requests.") {
    Key.oneOf(
      Fault.Name.status.rawValue, { $0.fault = .status($1) }, .whole(in: 400...599),
      "The server answers with this error.")
    Key.oneOf(
      Fault.Name.reset.rawValue, { $0.fault = .reset(afterBytes: $1) }, behind,
      "The connection is reset.")
    Key.oneOf(
      Fault.Name.stall.rawValue, { $0.fault = .stall(afterBytes: $1) }, behind,
      "No further byte arrives.")
    Key.oneOf(
      Fault.Name.slowFirstByte.rawValue, { $0.fault = .slowFirstByte($1) }, .spanAboveZero,
      "The server thinks that much longer.")
    Key.optional(
      "requests", { $0.numbers = $1 }, requestNumbers,
      "Numbers of the requests, from 1: one, or the first and the last.")
    Key.optional(
      "url", { $0.label = LabelPattern($1) }, .text("movie.mp4*"),
      "URLs of the requests, * for anything: movie.mp4, and movie.mp4#head for a head atom "
        + "alone; leaked-1.mp4 of the first leaked player. In a stream what they are for, such as "
        + "mediaSegment, or where: video-2/segment14.m4s, video-2/playlist.m3u8, audio-0/*.")
    Key.optional("chance", { $0.chance = $1 }, .chance, absent: "100 %", "Probability.")
  }.form(FaultRule(.stall(afterBytes: 0)))

  private static let behind = KeyTable<Int64>("behind", "A place in a response.") {
    Key.required("after", { $0 = $1 }, .bytes, "Bytes of the body that are sent before.")
  }.form(0)

  /// One request by its number, or those from one to another.
  private static let requestNumbers = Form.list(
    Form<ClosedRange<Int64>>(.list(of: number.shape, atLeast: 2, atMost: 2)) { node in
      guard let bounds = node.list(of: number.read) else { return nil }
      guard bounds.count == 2, bounds[0] <= bounds[1] else {
        return node.refuse(
          "no range of requests", expected: "the first and the last, such as [2, 4]")
      }
      return bounds[0]...bounds[1]
    },
    or: number.map { $0...$0 })

  private static let number = Form<Int64>.whole(in: 1...ScenarioLimits.mostEvents)
}

extension RetryPolicy {
  static let form = KeyTable<Self>("retry", "The player's retries of a failed request.") {
    Key.optional(
      "attempts", { $0.attempts = $1 }, .whole(in: 0...1_000), absent: 3,
      "Number of retries in a row without progress.")
    Key.optional(
      "backOff", { $0.backOff = $1 }, .spanAboveZero, absent: "1 s",
      "The first wait; each further one is twice as long.")
    Key.optional(
      "longestBackOff", { $0.longestBackOff = $1 }, .spanAboveZero,
      "The longest wait; by default 8 s, and never less than the first.")
  }.form(.standard) { policy, _ in
    changed(policy) { $0.longestBackOff = max($0.longestBackOff, $0.backOff) }
  }
}
