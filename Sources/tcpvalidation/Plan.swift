/// When a request of a plan is made.
enum RequestTime {
  /// Together with the opening of the connection, after a pause.
  case opening(milliseconds: Double)
  /// A pause after the answer before it.
  case pause(milliseconds: Double)
  /// At a time since the start of the session, or as soon as the answer before it is there.
  case at(milliseconds: Double)
}

/// A request of a plan.
struct PlannedRequest {
  var time: RequestTime
  var bytes: Int64
}

/// Reads `C0:500000,0:500000,@6000:1350000`.
func plannedRequests(_ plan: String) -> [PlannedRequest] {
  plan.split(separator: ",").map { item in
    let parts = item.split(separator: ":")
    let bytes = Int64(parts[1]) ?? 0
    let number = Double(parts[0].drop { !$0.isNumber }) ?? 0
    switch parts[0].first {
    case "C": return PlannedRequest(time: .opening(milliseconds: number), bytes: bytes)
    case "@": return PlannedRequest(time: .at(milliseconds: number), bytes: bytes)
    default: return PlannedRequest(time: .pause(milliseconds: number), bytes: bytes)
    }
  }
}
