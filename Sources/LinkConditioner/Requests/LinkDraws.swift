/// Random decisions on a link.
///
/// Two links that differ in their seeds alone are the same for as long as chance decides the same.
package struct LinkDraws: Hashable, Sendable {
  /// For the rules of faults, in the order in which requests came to them; those alone that can
  /// come out either way.
  package var ofFaults: [FaultDraw] = []
  /// Whether that is all: where packets are lost by chance there is more than can be listed.
  package var areListed = true

  package init() {}
}
