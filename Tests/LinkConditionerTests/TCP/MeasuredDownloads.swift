import LinkConditioner
import Testing

/// Downloads as they were measured through a kernel's TCP: the median of the runs.
struct MeasuredDownload: Sendable, CustomTestStringConvertible {
  /// Which of the three objects of a session: on a new connection, at once after it, and after
  /// five seconds of silence.
  enum Phase: Int {
    case cold
    case warm
    case idle5s
  }

  var cell: String
  var control: CongestionControl
  var phase: Phase
  var bytes: Int64
  /// Kilobits per second.
  var down: Int64
  var up: Int64
  /// Milliseconds each way: down, up.
  var delays: (Int64, Int64)
  /// Thousandths.
  var loss: Int64
  var queue: Int32
  var seconds: Double

  init(
    _ cell: String, _ control: CongestionControl, _ phase: Phase, _ bytes: Int64, down: Int64,
    up: Int64, delays: (Int64, Int64), loss: Int64, queue: Int32, seconds: Double
  ) {
    self.cell = cell
    self.control = control
    self.phase = phase
    self.bytes = bytes
    self.down = down
    self.up = up
    self.delays = delays
    self.loss = loss
    self.queue = queue
    self.seconds = seconds
  }

  var testDescription: String { "\(cell) \(control) \(bytes) \(phase)" }
}

private typealias Row = MeasuredDownload

let measuredDownloads: [MeasuredDownload] = [
  Row(
    "3G", .cubic, .cold, 2_000, down: 780, up: 330, delays: (100, 100), loss: 0,
    queue: 100, seconds: 0.440929),
  Row(
    "3G", .cubic, .warm, 2_000, down: 780, up: 330, delays: (100, 100), loss: 0,
    queue: 100, seconds: 0.237519),
  Row(
    "3G", .cubic, .idle5s, 2_000, down: 780, up: 330, delays: (100, 100), loss: 0,
    queue: 100, seconds: 0.236032),
  Row(
    "3G", .cubic, .cold, 50_000, down: 780, up: 330, delays: (100, 100), loss: 0,
    queue: 100, seconds: 1.017564),
  Row(
    "3G", .cubic, .warm, 50_000, down: 780, up: 330, delays: (100, 100), loss: 0,
    queue: 100, seconds: 0.752194),
  Row(
    "3G", .cubic, .idle5s, 50_000, down: 780, up: 330, delays: (100, 100), loss: 0,
    queue: 100, seconds: 0.81272),
  Row(
    "DSL", .reno, .cold, 50_000, down: 2_000, up: 256, delays: (5, 5), loss: 0,
    queue: 100, seconds: 0.250159),
  Row(
    "DSL", .reno, .warm, 50_000, down: 2_000, up: 256, delays: (5, 5), loss: 0,
    queue: 100, seconds: 0.237095),
  Row(
    "DSL", .reno, .idle5s, 50_000, down: 2_000, up: 256, delays: (5, 5), loss: 0,
    queue: 100, seconds: 0.235183),
  Row(
    "Edge", .cubic, .cold, 50_000, down: 240, up: 200, delays: (400, 440), loss: 0,
    queue: 100, seconds: 3.849963),
  Row(
    "Edge", .cubic, .warm, 50_000, down: 240, up: 200, delays: (400, 440), loss: 0,
    queue: 100, seconds: 2.613493),
  Row(
    "Edge", .cubic, .idle5s, 50_000, down: 240, up: 200, delays: (400, 440), loss: 0,
    queue: 100, seconds: 2.611013),
  Row(
    "WiFi", .cubic, .cold, 50_000, down: 40_000, up: 33_000, delays: (1, 1), loss: 0,
    queue: 100, seconds: 0.015373),
  Row(
    "WiFi", .cubic, .warm, 50_000, down: 40_000, up: 33_000, delays: (1, 1), loss: 0,
    queue: 100, seconds: 0.01284),
  Row(
    "WiFi", .cubic, .idle5s, 50_000, down: 40_000, up: 33_000, delays: (1, 1), loss: 0,
    queue: 100, seconds: 0.012928),
  Row(
    "0.5M_rtt300", .reno, .cold, 50_000, down: 500, up: 500, delays: (150, 150), loss: 0,
    queue: 100, seconds: 1.53645),
  Row(
    "0.5M_rtt300", .reno, .warm, 50_000, down: 500, up: 500, delays: (150, 150), loss: 0,
    queue: 100, seconds: 1.149726),
  Row(
    "0.5M_rtt300", .reno, .idle5s, 50_000, down: 500, up: 500, delays: (150, 150), loss: 0,
    queue: 100, seconds: 1.148834),
  Row(
    "20M_rtt100", .cubic, .cold, 250_000, down: 20_000, up: 20_000, delays: (50, 50), loss: 0,
    queue: 166, seconds: 0.618998),
  Row(
    "20M_rtt100", .cubic, .warm, 250_000, down: 20_000, up: 20_000, delays: (50, 50), loss: 0,
    queue: 166, seconds: 1.063506),
  Row(
    "20M_rtt100", .cubic, .idle5s, 250_000, down: 20_000, up: 20_000, delays: (50, 50), loss: 0,
    queue: 166, seconds: 0.517491),
  Row(
    "20M_rtt20", .reno, .cold, 50_000, down: 20_000, up: 20_000, delays: (10, 10), loss: 0,
    queue: 100, seconds: 0.085215),
  Row(
    "20M_rtt20", .reno, .warm, 50_000, down: 20_000, up: 20_000, delays: (10, 10), loss: 0,
    queue: 100, seconds: 0.041424),
  Row(
    "20M_rtt20", .reno, .idle5s, 50_000, down: 20_000, up: 20_000, delays: (10, 10), loss: 0,
    queue: 100, seconds: 0.064812),
  Row(
    "2M_rtt300", .cubic, .cold, 50_000, down: 2_000, up: 2_000, delays: (150, 150), loss: 0,
    queue: 100, seconds: 1.244808),
  Row(
    "2M_rtt300", .cubic, .warm, 50_000, down: 2_000, up: 2_000, delays: (150, 150), loss: 0,
    queue: 100, seconds: 0.512573),
  Row(
    "2M_rtt300", .cubic, .idle5s, 50_000, down: 2_000, up: 2_000, delays: (150, 150), loss: 0,
    queue: 100, seconds: 0.943688),
  Row(
    "WiFi11ac", .cubic, .cold, 250_000, down: 250_000, up: 100_000, delays: (1, 1), loss: 0,
    queue: 100, seconds: 0.016582),
  Row(
    "WiFi11ac", .cubic, .warm, 250_000, down: 250_000, up: 100_000, delays: (1, 1), loss: 0,
    queue: 100, seconds: 0.010651),
  Row(
    "WiFi11ac", .cubic, .idle5s, 250_000, down: 250_000, up: 100_000, delays: (1, 1), loss: 0,
    queue: 100, seconds: 0.014353),
  Row(
    "10M_rtt50_loss1", .cubic, .cold, 50_000, down: 10_000, up: 10_000, delays: (25, 25), loss: 10,
    queue: 100, seconds: 0.209633),
  Row(
    "10M_rtt50_loss5", .reno, .cold, 2_000, down: 10_000, up: 10_000, delays: (25, 25), loss: 50,
    queue: 100, seconds: 0.103038),
  Row(
    "10M_rtt50_loss5", .cubic, .cold, 50_000, down: 10_000, up: 10_000, delays: (25, 25), loss: 50,
    queue: 100, seconds: 0.258848),
  Row(
    "10M_rtt200_loss5", .reno, .warm, 2_000, down: 10_000, up: 10_000, delays: (100, 100), loss: 50,
    queue: 166, seconds: 0.202537),
  Row(
    "VBN", .cubic, .cold, 50_000, down: 1_000, up: 1_000, delays: (500, 500), loss: 100,
    queue: 100, seconds: 6.44249),
  Row(
    "10M_rtt50_loss1", .reno, .cold, 250_000, down: 10_000, up: 10_000, delays: (25, 25), loss: 10,
    queue: 100, seconds: 0.407423),
]
