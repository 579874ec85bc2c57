import LinkConditioner
import Testing
import VirtualTime

/// Tables by their headers: units are understood, or refused.
@Suite struct TableTests {
  /// One link, 4 Mbit/s for 2 s and 500 kbit/s after it, in many words.
  static let same = [
    "time,kbps\n0,4000\n2,500\n",
    "time_s,throughput_kbps\n0,4000\n2,500\n",
    "seconds,kbit/s\n0,4000\n2,500\n",
    "timestamp,Mbps\n0,4\n2,0.5\n",
    "time_ms,bandwidth (Mbit/s)\n0,4\n2000,0.5\n",
    "time (ms),bits per second\n0,4000000\n2000,500000\n",
    "Time,Bytes/s\n0,500000\n2,62500\n",
    "time_us,kB/s\n0,500\n2000000,62.5\n",
    "ns,MBps\n0,0.5\n2000000000,0.0625\n",
    "timeMs,bandwidthKbps\n0,4000\n2000,500\n",
    "time;kbps\n0;4000\n2;500\n",
    "time;Mbit/s\n0;4,0\n2;0,5\n",
    "time\tkbps\n0\t4000\n2\t500\n",
    "time kbps\n0 4000\n2 500\n",
    "\"time\",\"kbps\"\n\"0\",\"4000\"\n\"2\",\"500\"\n",
    "# time,kbps\n0,4000\n2,500\n",
    "# time kbps\n0 4000\n2 500\n",
    ",time,kbps\n0,0,4000\n1,2,500\n",
    "time,kbps\n0,0,4000\n1,2,500\n",
    "date,kbps\n2026-02-28T23:59:59Z,4000\n2026-03-01T00:00:01Z,500\n",
    "datetime,kbps\n2026-02-28 23:59:59.5,4000\n2026-03-01 00:00:01.5,500\n",
    "timestamp,kbps\n1700000000,4000\n1700000002,500\n",
    "timestamp_ms,kbps\n1700000000000,4000\n1700000002000,500\n",
    "time_ns,kbps\n1700000000000000000,4000\n1700000002000000000,500\n",
    "rtt_ms,time_s,dl_kbps,ul_kbps\n30,0,4000,9\n31,2,500,9\n",
    "time,rate,cell\n0,4M,7\n2,500k,8\n",
    "time (ns GMT),session_id,expt_id,delivery_rate\n1546300800000000000,a,1,500000\n"
      + "1546300802000000000,a,1,62500\n",
    "unit_id,dtime,target,fetch_time,bytes_total,bytes_sec,bytes_sec_interval\n"
      + "386,2016-09-01 00:00:26,http://a/b,1,1,500000,1\n"
      + "386,2016-09-01 00:00:28,http://a/b,1,1,62500,1\n",
    "time,KiB/s\n0,488.28125\n2,61.03515625\n",
  ]

  @Test(arguments: same)
  func `units are understood, and named`(text: String) throws {
    let trace = try ImportTests.read(text)
    #expect(trace.format == .commaSeparated)
    #expect(ReadSteps(trace.schedule).steps == [[2_000, 4_000_000], [1_000, 500_000]])
    #expect(trace.notes.contains { $0.contains("the rate in ") }, "\(trace.notes)")
  }

  @Test func `a column that is not read is named, and nothing where all are read`() throws {
    let some = try ImportTests.read("rtt_ms,time_s,dl_kbps,ul_kbps\n30,0,4000,9\n31,2,500,9\n")
    #expect(some.notes.contains { $0.contains("'rtt_ms', 'ul_kbps' not read") }, "\(some.notes)")
    let all = try ImportTests.read("time,kbps\n0,4000\n2,500\n")
    #expect(!all.notes.contains { $0.contains("not read") }, "\(all.notes)")
    let index = try ImportTests.read("time,kbps\n0,0,4000\n1,2,500\n")
    #expect(index.notes.contains("the first column has no name: not read"), "\(index.notes)")
  }

  @Test(
    arguments: [
      ("duration_ms,bytes\n2000,1000000\n1000,62500\n", [[2_000, 4_000_000], [1_000, 500_000]]),
      ("duration,Mbit/s\n2,4\n0.5,0.5\n", [[2_000, 4_000_000], [500, 500_000]]),
      ("Mbit/s\n4\n0.5\n", [[1_000, 4_000_000], [1_000, 500_000]]),
      ("\"kbps\"\n4000\n500\n", [[1_000, 4_000_000], [1_000, 500_000]]),
    ] as [(String, [[Int64?]])])
  func `samples without a time last as long as they say, or a second`(
    text: String, steps: [[Int64?]]
  ) throws {
    let trace = try ImportTests.read(text)
    #expect(ReadSteps(trace.schedule).steps == steps)
    #expect(trace.schedule.length == .milliseconds(steps.reduce(0) { $0 + ($1[0] ?? 0) }))
    #expect(trace.reading.interval == .explicit)
  }

  @Test(arguments: [
    ("time,MBPS\n0,4\n", "'MBPS' may mean bits or bytes; expected a unit such as 'Mbit/s'"),
    ("time,throughput\n0,4\n", "'throughput' names no unit; expected one, such as"),
    ("time,bytes\n0,4\n", "'bytes' is an amount, and no rate"),
    ("time,value\n0,4\n", "no rate among 'time', 'value'; expected a unit"),
    ("x,kbps\n0,4\n", "no column names the time; expected one such as 'time_s'"),
    ("time,dl_kbps,wifi_kbps\n0,4,5\n", "several columns may be the rate: 'dl_kbps', 'wifi_kbps'"),
    ("time,kbps\n0,5M\n", "'5M' in a column of kbit/s; expected a number"),
    ("timestamp,kbps\n100000000000,4\n", "more than can be held"),
    ("timestamp,kbps\n100000000001,4\n", "'timestamp' names no unit, and holds no seconds"),
    ("timestamp,kbps\n1700000000000,4\n", "'timestamp' names no unit, and holds no seconds"),
    ("time,kbps\nsoon,4\n", "'soon' where a time is expected"),
    ("time,kbps\n0,4,5,6\n", "4 columns; expected 2, as the header has"),
    // An index stands in every row: one row that is longer has a field too many.
    ("time,kbps\n0,4\n5,10,3\n10,2\n", "3 columns; expected 2, as the header has"),
    ("time,kbps\n5,10,3\n10,2\n", "3 columns; expected 2, as the header has"),
    ("time,rate (100 kbit/s)\n0,4\n", "no rate among 'time', 'rate (100 kbit/s)'"),
    ("time,kbps x10\n0,4\n", "no rate among"), ("time,kbps/100\n0,4\n", "no rate among"),
    ("duration_s,bytes\n0,125\n1,250\n", "an amount of '125' in no time"),
    ("0,1,2\n", "or a header that names them"),
    (
      "unit_id,dtime,bytes_sec\n1,2016-09-01 00:00:00,5\n2,2016-09-01 00:00:00,5\n",
      "the FCC's raw measurements, of several links; keep the rows of one 'unit_id'"
    ),
    (
      "time (ns GMT),session_id,delivery_rate\n1,a,5\n2,b,5\n",
      "Puffer's video_sent, of several links; keep the rows of one 'session_id'"
    ),
    ("4.5\n3.2\n", "rates need a header with their unit, such as 'kbit/s'"),
  ])
  func `units that are unknown are refused, with a way out`(text: String, message: String) {
    let error = #expect(throws: ImportError.self) { try ImportTests.read(text) }
    #expect(error?.problem.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    "time,kbps\n0,2039.0000000000002\n", "time,Mbit/s\n0,2.0390000000000001\n",
    "time,Bps\n0,254875.00000000003\n",
  ])
  func `the digits of floats are rounded to a millionth of a bit`(text: String) throws {
    #expect(try ImportTests.steps(text) == [[1_000, 2_039_000]])
  }

  @Test func `UTF-16 is refused by name`() {
    let error = #expect(throws: ImportError.self) { try Imported([0xFF, 0xFE, 0x30, 0]) }
    #expect(error?.problem.description.contains("UTF-8") == true)
    #expect(error?.line == 1)
  }

  private static let timeWords: [(words: String, nanoseconds: Int64, count: Int64)] = [
    ("s sec secs second seconds", 1_000_000_000, 2),
    ("ms msec msecs millis millisecond milliseconds", 1_000_000, 2_000),
    ("µs us usec micros microsecond microseconds", 1_000, 2_000_000),
    ("ns nsec nanos nanosecond nanoseconds", 1, 2_000_000_000),
    ("min mins minute minutes", 60_000_000_000, 2), ("h hr hour hours", 3_600_000_000_000, 2),
  ]

  @Test func `each word for a unit of time has its length to the nanosecond`() throws {
    for (words, nanoseconds, count) in Self.timeWords {
      for word in words.split(separator: " ") {
        for text in [
          "time_\(word),kbit/s\n0,4000\n\(count),500\n",
          "duration (\(word)),kbit/s\n\(count),4000\n\(count),500\n",
        ] {
          let steps = try ImportTests.read(text).schedule.steps
          #expect(steps.first?.duration.nanoseconds == nanoseconds * count, "\(text)")
        }
      }
    }
  }

  private static let multiples: [(words: [String], factor: Int64)] = [
    (["", ""], 1), (["k", "kilo"], 1_000), (["M", "mega"], 1_000_000),
    (["G", "giga"], 1_000_000_000), (["Ki", "kibi"], 1_024), (["Mi", "mebi"], 1_048_576),
    (["Gi", "gibi"], 1_073_741_824),
  ]

  @Test func `each word for a rate has its bits, and a byte has eight`() throws {
    for (words, factor) in Self.multiples {
      let (short, long) = (words[0], words[1])
      for (unit, bits) in [
        ("\(short)bps", 1), ("\(short)bit/s", 1), ("\(short)b/s", 1), ("\(long)bits per second", 1),
        ("\(long)bit per s", 1), ("\(short)Bps", 8), ("\(short)B/s", 8), ("\(short)B per sec", 8),
        ("\(long)bytes per second", 8), ("\(long)byte/s", 8), ("\(long)octets/s", 8),
        ("\(short)octet/s", 8),
      ] as [(String, Int64)] {
        let steps = try ImportTests.steps("time_s,\(unit)\n0,3\n2,5\n")
        #expect(steps.first == [2_000, 3 * bits * factor], "\(unit)")
      }
    }
  }
}
