/// The value of an expression, whose error is thrown as another.
@inlinable @inline(__always)
package func rethrowing<Value, Problem, Other>(
  _ value: @autoclosure () throws(Problem) -> Value, as other: (Problem) -> Other
) throws(Other) -> Value {
  do throws(Problem) {
    return try value()
  } catch {
    throw other(error)
  }
}
