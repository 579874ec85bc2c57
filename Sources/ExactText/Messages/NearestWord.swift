/// The word that was probably meant: the nearest by slips of the hand, or nil if none is near.
///
/// A slip is a letter too many, too few or wrong, or two letters exchanged; case does not count.
/// One slip in three letters is the most, and three in all. Of words equally near, the first wins.
package func nearestWord(to word: String, among candidates: [String]) -> String? {
  let given = foldedScalars(word)
  guard (1...longestWord).contains(given.count) else { return nil }
  var nearest: (word: String, slips: Int)?
  for candidate in candidates {
    let scalars = foldedScalars(candidate)
    guard scalars.count <= longestWord else { continue }
    let allowed = min(3, max(given.count, scalars.count) / 3)
    guard abs(given.count - scalars.count) <= allowed else { continue }
    let slips = slipCount(given, scalars)
    if slips <= allowed, slips < nearest?.slips ?? .max { nearest = (candidate, slips) }
  }
  return nearest?.word
}

/// The same among names, of which the last words may be left out: `mpv` for `mpv 0.35`.
package func nearestName(to name: String, among candidates: [String]) -> String? {
  nearestWord(to: name, among: candidates)
    ?? candidates.first { candidate in
      let beginnings = candidate.indices.filter { candidate[$0] == " " }
        .map { String(candidate[..<$0]) }
      return nearestWord(to: name, among: beginnings) != nil
    }
}

/// Words in the order of how near they are, whatever the distance.
package func nearestWords(to word: String, among candidates: [String], count: Int) -> [String] {
  let given = foldedScalars(word)
  if given.count > longestWord { return Array(candidates.prefix(count)) }
  let distances = candidates.map { slipCount(given, foldedScalars($0)) }
  return candidates.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }.prefix(count)
    .map { candidates[$0] }
}

/// Words that could stand where another does: all of a few, or the three nearest of many.
package func alternatives(to word: String, among candidates: [String]) -> String {
  if candidates.count <= 6 { return alternatives(candidates) }
  let nearest = nearestWords(to: word, among: candidates, count: 3).map { quotation(of: $0) }
  return nearest.joined(separator: ", ") + " or one of \(candidates.count - 3) others"
}

/// Longer words are no misspellings of ours, and the distance costs the product of both lengths.
private let longestWord = 64

private func foldedScalars(_ word: String) -> [UInt32] {
  word.unicodeScalars.map { (0x41...0x5A).contains($0.value) ? $0.value + 0x20 : $0.value }
}

/// The Damerau-Levenshtein distance in its restricted form: no letter takes part in two slips.
private func slipCount(_ a: [UInt32], _ b: [UInt32]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var slips = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        slips = min(slips, beforeLast[j - 1] + 1)
      }
      row.append(slips)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
