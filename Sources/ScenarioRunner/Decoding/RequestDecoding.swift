import LinkConditioner
import SimulatedPlayback
import VirtualTime

// How requests travel.

extension Decode {
  /// The limits of what a scenario can ask of its requests.
  enum RequestLimits {
    static let mostConnections: Int64 = 100
    static let largestInitialWindow: Int64 = 256
    /// RFC 9113 §6.5.2: no fewer than 100 streams is what a server should allow.
    static let streams: Int32 = 100
  }

  static func requestOptions(_ node: DocumentNode) -> RequestOptions? {
    node.object { object in
      var options = RequestOptions()
      options.http = httpOptions(&object)
      options.transport.connection = connectionOptions(&object)
      options.transport.path.idleLink = object.optional(
        "idleLink", default: options.transport.path.idleLink,
        as: choice([("serialises", .serialises), ("passesAtOnce", .passesAtOnce)]))
      options.transport.path.lossPosition = object.optional(
        "lossPosition", default: options.transport.path.lossPosition,
        as: choice([("beforeQueue", .beforeQueue), ("afterQueue", .afterQueue)]))
      options.timeouts = object.optional("timeouts", default: .none, as: timeouts)
      return options
    }
  }

  private static func httpOptions(_ object: inout DocumentObject) -> HTTPOptions {
    var http = HTTPOptions()
    let connections = object.optional(
      "connectionsPerHost", as: count(in: 1...RequestLimits.mostConnections))
    if let connections { http.version = .http1(connections: Int32(clamping: connections)) }
    let isSecond = object.optional(
      "http", default: false, as: choice([("1.1", false), ("2", true)]))
    if isSecond {
      http.version = .http2(streams: RequestLimits.streams)
      if object.has("connectionsPerHost") {
        object.refuse(
          key: "connectionsPerHost", "HTTP/2 has one connection to a host",
          expected: "“http”: “1.1” beside it")
      }
    }
    http.security = object.optional(
      "tls", default: http.security,
      as: choice([("none", .none), ("1.2", .tls12), ("1.3", .tls13)]))
    http.idleTimeout = object.optional(
      "idleTimeout", default: http.idleTimeout, as: runSpanAboveZero)
    return http
  }

  private static func connectionOptions(_ object: inout DocumentObject) -> ConnectionOptions {
    let control = object.optional(
      "congestionControl", default: CongestionControl.cubic,
      as: choice([("cubic", .cubic), ("reno", .reno)]))
    let window = object.optional(
      "initialWindow", default: Int64(ConnectionOptions().initialWindow),
      as: count(in: 1...RequestLimits.largestInitialWindow))
    let slowStart = object.optional("slowStartAfterIdle", default: true, as: boolean)
    return ConnectionOptions(
      congestionControl: control, initialWindow: Int32(clamping: window),
      slowStartAfterIdle: slowStart)
  }

  private static func timeouts(_ node: DocumentNode) -> RequestTimeouts? {
    node.object { object in
      RequestTimeouts(
        firstByte: object.optional("firstByte", as: runSpanAboveZero),
        idle: object.optional("idle", as: runSpanAboveZero),
        whole: object.optional("whole", as: runSpanAboveZero))
    }
  }
}

// MARK: - What goes wrong

extension Decode {
  static func faultRule(_ node: DocumentNode) -> FaultRule? {
    node.object { object in
      let fault = object.exactlyOne(of: [
        ("status", { count(in: 400...599)($0).map { .status(Int32(clamping: $0)) } }),
        ("reset", { bytesBefore($0).map { Fault.reset(afterBytes: $0) } }),
        ("stall", { bytesBefore($0).map { Fault.stall(afterBytes: $0) } }),
        ("slowFirstByte", { runSpanAboveZero($0).map { Fault.slowFirstByte($0) } }),
      ])
      let numbers = object.optional("requests", as: requestNumbers)
      let label = object.optional("url", as: nonEmptyText)
      let chance = object.optional("chance", default: .total, as: lossRatio)
      return fault.map {
        FaultRule($0, numbers: numbers, label: label.map { LabelPattern($0) }, chance: chance)
      }
    }
  }

  /// How much of the body comes before it goes wrong.
  private static func bytesBefore(_ node: DocumentNode) -> Int64? {
    node.object { $0.required("after", as: fileBytes) }
  }

  /// One request by its number, or those from one to another.
  private static func requestNumbers(_ node: DocumentNode) -> ClosedRange<Int64>? {
    let number = count(in: 1...ScenarioLimits.mostEvents)
    guard case .array = node.value.content else { return number(node).map { $0...$0 } }
    guard let bounds = node.list(of: number) else { return nil }
    guard bounds.count == 2, bounds[0] <= bounds[1] else {
      node.refuse("no range of requests", expected: "the first and the last, such as [2, 4]")
      return nil
    }
    return bounds[0]...bounds[1]
  }
}

// MARK: - What the player does about it

extension Decode {
  static func retryPolicy(_ node: DocumentNode) -> RetryPolicy? {
    node.object { object in
      let standard = RetryPolicy.standard
      let attempts = object.optional(
        "attempts", default: Int64(standard.attempts), as: count(in: 0...1_000))
      let backOff = object.optional(
        "backOff", default: standard.backOff, as: runSpanAboveZero)
      let longest = object.optional(
        "longestBackOff", default: max(standard.longestBackOff, backOff), as: runSpanAboveZero)
      return RetryPolicy(
        attempts: Int32(clamping: attempts), backOff: backOff, longestBackOff: longest)
    }
  }
}
