/// The largest integer whose cube is not above a number that is not negative.
package func cubeRoot(_ value: Int64) -> Int64 {
  if value == 0 { return 0 }
  // A power of two not below the root, then Newton's steps down to it.
  var root: Int64 = 1 << ((Int64(64 - value.leadingZeroBitCount) + 2) / 3)
  while true {
    let next = (2 * root + value / (root * root)) / 3
    if next >= root { return root }
    root = next
  }
}
