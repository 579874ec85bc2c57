package import ExactText

/// Forms of values whose keys are for their author to choose.
package enum FreeForms {
  package static var anything: Form<JSONTree> { Form(.anything) { JSONTree($0.value) } }

  /// An object with values of one form, in their order.
  package static func members<Element>(
    of element: Form<Element>
  ) -> Form<[(key: String, value: Element)]> {
    let read = element.read
    return Form(.map(of: element.shape)) { node in
      guard let members = node.value.members else {
        return node.refuseKind(expected: "an object")
      }
      var values: [(key: String, value: Element)] = []
      for member in members {
        guard let value = read(DocumentNode(member.value, in: node.log)) else { return nil }
        values.append((key: member.key, value: value))
      }
      return values
    }
  }
}
