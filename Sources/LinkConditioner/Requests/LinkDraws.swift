/// Random decisions on a link.
///
/// Two links that differ in their seeds alone are the same for as long as chance decides the same.
package struct LinkDraws: Hashable, Sendable {
  /// For fault rules, in the order in which requests came to them; only those with an open outcome.
  package var ofFaults: [FaultDraw] = []
  /// Whether that is all: where packets are lost by chance there is more than can be listed.
  package var areListed = true

  package init() {}
}
