package import LinkConditioner
import SimulatedPlayback

/// Follows requests from their starts to their ends.
package struct RequestFold: Sendable {
  package private(set) var result: [StartupStage] = []
  /// Places of the requests under way, the latest last.
  private var open: [Int] = []
  /// Cap on the requests that are kept.
  private let most: Int
  /// The byte that begins the head atom of a file that has it behind its media.
  private let headAtom: Int64?

  package init(most: Int, headAtom: Int64? = nil) {
    (self.most, self.headAtom) = (most, headAtom)
  }

  /// The request of a number, the latest where there are several.
  package func request(_ id: TransferID) -> StartupStage? { result.last { $0.id == id } }

  package mutating func see(_ record: Record) {
    guard case .player(let observation) = record.event else { return }
    let now = record.instant
    if case .requestStarted(let id, let firstByte, let origin) = observation {
      begin(
        StartupStage(id, firstByte, isHead: firstByte == headAtom, origin, requested: now))
    } else if case .resourceRequested(let id, let kind, let bytes, let origin) = observation {
      begin(StartupStage(id, kind, bytes, origin, requested: now))
    } else if case .requestResponded(let id) = observation {
      guard let place = open.last(where: { result[$0].id == id }) else { return }
      result[place].responded = now
      result[place].steps = record.steps
    } else if case .requestCompleted(let id, let bytes) = observation {
      end(id, .completed, bytes, record)
    } else if case .requestCancelled(let id, let bytes) = observation {
      end(id, .cancelled, bytes, record)
    } else if case .requestFailed(let id, _, let bytes, _) = observation {
      end(id, .failed, bytes, record)
    }
  }

  private mutating func begin(_ request: StartupStage) {
    if result.count == most { return }
    open.append(result.count)
    result.append(request)
  }

  private mutating func end(
    _ id: TransferID, _ outcome: StartupStage.Outcome, _ bytes: Int64, _ record: Record
  ) {
    guard let index = open.lastIndex(where: { result[$0].id == id }) else { return }
    let place = open.remove(at: index)
    result[place].ended = record.instant
    result[place].outcome = outcome
    result[place].received = bytes
    result[place].steps = record.steps
  }
}
