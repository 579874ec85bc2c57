import LinkConditioner
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import VirtualTime

extension StartupStage {
  /// The resource of the stage, in words.
  var title: String {
    guard let resource else {
      if isHeadAtom { return "head atom" }
      return firstByte == 0 ? "file" : "file from byte \(grouped(firstByte))"
    }
    let noun =
      switch track {
      case .audio?: "audio "
      case .subtitles?: "subtitle "
      case .main?, nil: ""
      }
    return switch resource {
    case .multivariantPlaylist: "multivariant playlist"
    case .mediaPlaylist: (noun.isEmpty ? "variant " : noun) + "playlist"
    case .contentKey: "content key"
    case .mapSegment: noun + "initialization"
    case .mediaSegment: noun + "segment"
    }
  }

  /// The steps up to its first byte that took time.
  var namedSteps: [(name: String, span: TimeSpan)] {
    var all: [(String, TimeSpan?)] = [
      ("name", steps?.lookup), ("queue", steps?.waiting), ("connection", steps?.connect),
      ("security", steps?.security),
    ]
    if let steps {
      all.append(("first byte", responded.flatMap { _ in steps.response }))
    } else {
      all.append(("first byte", responded.map { $0 - requested }))
    }
    return all.compactMap { name, span in
      span.flatMap { $0 > .zero ? (name: name, span: $0) : nil }
    }
  }
}

/// The causes of the startup delay, in words.
struct StartupWords {
  let report: StartupReport

  /// Nil where playback never began or nobody asked for it.
  var path: Fact? {
    guard report.asked != nil, report.began != nil else { return nil }
    if report.path.isEmpty { return Fact("waited for", "nothing: all was there", .good) }
    let parts = report.path.map { words(for: $0) }
    let waited = report.path.filter { $0.cause != .pause }
    let length = waited.reduce(0) { $0 + $1.span.nanoseconds }
    let together =
      "; together \(exactSeconds(length))"
      + (waited.count < report.path.count ? " without the time paused" : "")
    return Fact(
      "waited for", joined(parts, by: ", then ") + (parts.count > 1 ? together : ""))
  }

  private func words(for piece: StartupPiece) -> String {
    let span = exactSeconds(piece.span.nanoseconds)
    switch piece.cause {
    case .request(let id): return (title(of: id) ?? "a request") + " " + span + steps(of: id)
    case .retry: return "another try " + span
    case .evaluation: return "evaluating the rate " + span
    case .pause: return "the user, who had paused, " + span
    case .pipeline: return "setting up the pipeline " + span
    case .app: return "the app " + span
    }
  }

  private func stage(_ id: TransferID) -> StartupStage? {
    report.stages.last { $0.id == id }
  }

  private func title(of id: TransferID) -> String? { stage(id)?.title }

  private func steps(of id: TransferID) -> String {
    guard let steps = stage(id)?.namedSteps, !steps.isEmpty else { return "" }
    let parts = steps.map { $0.name + " " + exactSeconds($0.span.nanoseconds) }
    return " (" + joined(parts, by: ", ") + ")"
  }
}
