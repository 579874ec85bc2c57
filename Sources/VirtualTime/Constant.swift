/// A large value that does not change, held by reference: what holds it copies a pointer.
package final class Constant<Value: Sendable>: Sendable {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}
