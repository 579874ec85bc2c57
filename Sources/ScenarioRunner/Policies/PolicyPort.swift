/// A line-by-line connection to an external policy.
///
/// Nothing here starts a process: the caller that runs a scenario provides the connection.
package struct PolicyPort {
  /// Hands over a line, without its end, that wants no answer.
  package var tell: ([UInt8]) throws(PolicyFailure) -> Void
  /// Hands over a line and waits for the one that answers it.
  package var ask: ([UInt8]) throws(PolicyFailure) -> [UInt8]
  /// Nothing more will be asked.
  package var close: () -> Void

  package init(
    tell: @escaping ([UInt8]) throws(PolicyFailure) -> Void,
    ask: @escaping ([UInt8]) throws(PolicyFailure) -> [UInt8], close: @escaping () -> Void
  ) {
    self.tell = tell
    self.ask = ask
    self.close = close
  }
}

package enum PolicySource: Sendable {
  /// From nowhere: what names a command cannot be run.
  case none
  /// From what is opened for the words of a command, one for each player of a run.
  case opened(@Sendable ([String]) throws(PolicyFailure) -> PolicyPort)
  /// From a run that has been.
  case recorded(RecordedAnswers)
}

package struct PolicyFailure: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case notAllowed
    /// There is no such command.
    case missing
    /// It ended, or cannot be written to or read from.
    case broken
    case wrongAnswer
    case timedOut
  }

  package var kind: Kind
  /// The problem, to be shown after the name of the command.
  package var message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

/// The version of what is said between the two.
package enum PolicyProtocol {
  package static let version: Int64 = 1
  /// The longest line that is read.
  package static let mostBytes = 1 << 20
  /// The number of segments, from the next one on, in a question about the next variant.
  static let segmentsAhead = 16
}
