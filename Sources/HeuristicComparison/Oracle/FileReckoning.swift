import StreamingMedia
import VirtualTime

/// The arrival of a file's bytes over a known link, requested once and from the beginning.
struct FileReckoning {
  /// A stretch in which bytes come along a straight line.
  private struct Stretch {
    var pace: LinkReckoning.Pace
    /// The amount received by its start, in 2⁻³² bits of the request for the media.
    var amount: Int128
    /// Whether it is the request for the media that comes.
    var isFlowing: Bool
  }

  private let file: MediaFile
  /// Bytes of the request before the first byte of media.
  private let base: Int64
  private let end: MediaTime
  /// Cumulative bytes by media time, up to the end, where the last byte must be whole.
  private let corners: [(time: MediaTime, bytes: Int64)]
  private var stretches: [Stretch] = []
  /// The arrival of a head atom behind the media; nil until it has arrived.
  private var headCame: Tick?
  private let total: Int128
  /// The ends of the outages, whether set by the app or the scenario.
  private let ends: [Int64]
  private(set) var isEndless = false

  init(_ file: MediaFile, until end: MediaTime, over link: KnownLink, from begins: Int64) {
    self.file = file
    let end = min(end, file.duration)
    self.end = end
    base = file.headAtomPosition == .front ? file.headAtomBytes : 0
    let bytes = base + file.map.bytes(before: end)
    total = Int128(bytes) * 8 * .fraction
    corners =
      file.map.corners.filter { $0.time < end }.map { ($0.time, $0.bytes) }
      + [(end, file.map.bytes(before: end))]
    ends = link.outages.map { $0.upperBound }
    run(link, bytes, from: begins)
  }

  private mutating func run(_ link: KnownLink, _ bytes: Int64, from begins: Int64) {
    var reckoning = LinkReckoning(link)
    reckoning.wait(until: begins)
    let media = reckoning.request(bytes: bytes, at: begins)
    var head: Int?
    let limit = Tick.nanoseconds(begins + LinkReckoning.longestWait)
    while reckoning.now < limit, !reckoning.hasFailed {
      for event in reckoning.advance(to: limit) {
        switch event {
        case .begun(media):
          if file.headAtomPosition == .end, file.headAtomBytes > 0 {
            head = reckoning.request(bytes: file.headAtomBytes, at: reckoning.now.wholeNanoseconds)
          }
        case .completed(let id):
          if id == head { headCame = reckoning.now }
        case .begun: break
        }
      }
      note(reckoning, media)
      if reckoning.transfers.isEmpty { return }
    }
    isEndless = true
  }

  private mutating func note(_ reckoning: LinkReckoning, _ media: Int) {
    let transfer = reckoning.transfers.first { $0.id == media }
    let stretch = Stretch(
      pace: reckoning.pace, amount: total - (transfer?.missing ?? 0),
      isFlowing: transfer?.hasBegun ?? false)
    // The last of several changes at one instant counts.
    if let last = stretches.last, last.pace.from == stretch.pace.from { stretches.removeLast() }
    stretches.append(stretch)
  }

  /// The first nanosecond from which playback at a rate never runs dry; nil where there is none.
  func leastStart(at rate: PlaybackRate) -> Int64? {
    if isEndless { return nil }
    guard var latest = arrival(ofBytes: base + 1)?.wholeNanoseconds else { return nil }
    if let headCame { latest = max(latest, headCame.wholeNanoseconds) }
    for corner in corners where corner.time > .zero || corner.time == end {
      guard let came = arrival(ofBytes: base + corner.bytes) else { return nil }
      latest = max(
        latest, (came - due(.nanoseconds(corner.time.nanoseconds), rate)).wholeNanoseconds)
    }
    for index in stretches.indices.dropFirst() {
      if let moment = start(whereFaster: index, rate) { latest = max(latest, moment) }
    }
    return latest
  }

  /// The least start at a rise of the rate: the byte just before it is later than its neighbours.
  private func start(whereFaster index: Int, _ rate: PlaybackRate) -> Int64? {
    let (before, here) = (stretches[index - 1], stretches[index])
    let arrived = here.amount - Int128(base) * 8 * .fraction
    if arrived <= 0 || here.amount >= total { return nil }
    let came = here.pace.from
    guard before.isFlowing, let slow = before.pace.rate else { return nil }
    if slow.bits > 0 { return (came - due(media(ofAmount: arrived), rate)).wholeNanoseconds }
    // While nothing comes, a byte of which a part is there is not there.
    let edge = file.map.time(ofFirst: Int64(arrived / 8 / .fraction))
    let moment = (came - due(.nanoseconds(edge.nanoseconds), rate)).wholeNanoseconds
    // At an instant the playhead looks before the link is changed: it must not be there yet.
    return ends.contains(came.wholeNanoseconds) ? moment + 1 : moment
  }

  /// The arrival of this many bytes of the request for the media.
  private func arrival(ofBytes bytes: Int64) -> Tick? {
    let amount = Int128(bytes) * 8 * .fraction
    guard let next = stretches.firstIndex(where: { $0.amount >= amount }), next > 0 else {
      return stretches.first.flatMap { $0.amount >= amount ? $0.pace.from : nil }
    }
    let stretch = stretches[next - 1]
    guard let rate = stretch.pace.rate, rate.bits > 0 else { return stretches[next].pace.from }
    let missing = amount - stretch.amount
    let span = missing * 1_000_000_000 * rate.seconds * stretch.pace.shares / rate.bits
    return min(stretches[next].pace.from, stretch.pace.from + span)
  }

  /// The media time that an amount of data reaches, with fractions of bytes and nanoseconds.
  private func media(ofAmount amount: Int128) -> Tick {
    guard let next = corners.firstIndex(where: { Int128($0.bytes) * 8 * .fraction >= amount }),
      next > 0
    else { return .nanoseconds(end.nanoseconds) }
    let (from, to) = (corners[next - 1], corners[next])
    let over = amount - Int128(from.bytes) * 8 * .fraction
    let length = Int128((to.time - from.time).nanoseconds)
    return .nanoseconds(from.time.nanoseconds) + over * length / (8 * Int128(to.bytes - from.bytes))
  }

  /// The time from the start until media is due, rounded up.
  private func due(_ media: Tick, _ rate: PlaybackRate) -> Tick {
    let over = Int128(rate.numerator)
    return (media * Int128(rate.denominator) + over - 1) / over
  }
}
