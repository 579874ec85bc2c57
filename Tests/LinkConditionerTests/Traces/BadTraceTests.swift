import LinkConditioner
import Testing
import VirtualTime

/// What is refused, in which line, in which words.
@Suite struct BadTraceTests {
  struct Bad {
    var text: String
    var line: Int
    var message: String
    var format: TraceFormat?

    init(_ text: String, _ line: Int, _ message: String, as format: TraceFormat? = nil) {
      self.text = text
      self.line = line
      self.message = message
      self.format = format
    }
  }

  private static func letters(_ count: Int) -> String { String(repeating: "x", count: count) }

  static let files = [
    Bad("", 1, "expected a trace"),
    Bad("# nothing\n\n", 1, "expected a trace"),
    Bad("a b c\n", 1, "not a format that is known here: sabre, "),
    Bad("bplist00\u{1}\u{2}", 1, "plutil"),
    Bad("0 1\n1 x\n", 2, "'x' where a number is expected"),
    Bad("0 1\n1 -2\n", 2, "-2 is below zero"),
    Bad("0 1\n1\n", 2, "1 columns; expected 2"),
    Bad("0 1\n1 1234567890.1234567890123\n", 2, "more than 18 significant digits"),
    Bad("0 1\n1 9e30\n", 2, "more than can be held"),
    Bad("0 1\n1 2000000\n", 2, "at most 1 Tbit/s"),
    Bad("0 1\n", 1, "lasts no time"),
    Bad("0 1\n0 2\n", 2, "lasts no time"),
    Bad("0\n0\n", 2, "lasts no time"),
    Bad("3\n2\n", 2, "before that of the line above"),
    Bad("1.5\n", 1, "'1.5' where a whole millisecond is expected"),
    Bad("0,1,2\n", 1, "3 columns; expected 2"),
    Bad("0,5m\n", 1, "'5m' where a number"),
    Bad("0,\n", 1, "'' where a number"),
    Bad("0 1 2 3 4 0\n", 1, "lasts no time"),
    Bad("0 5 2 3 4 1\n0 4 2 3 4 1\n", 2, "before that of the line above"),
    Bad("[]", 1, "lasts no time", as: .sabre),
    Bad("[\n{\"duration_ms\": 1,\n \"latency_ms\": 2}]", 2, "'bandwidth_kbps' is missing"),
    Bad("[\n{\"duration_ms\": 1\n \"latency_ms\": 2}]", 3, "expected “,” or “}”"),
    Bad("[{\"duration_ms\": 1, \"duration_ms\": 1}]", 1, "occurs twice"),
    Bad("[{\"duration_ms\": [1]}]", 1, "expected a number"),
    Bad(
      "[\n{\"duration_ms\": 1,\n \"bandwidth_kbps\": \"9\", \"latency_ms\": 2}]", 3,
      "found a string; expected a number for 'bandwidth_kbps'"),
    Bad(
      "[{\"duration\": 1, \"serverEgress\": 1, \"clientIngress\": 1,\n\"clientLatency\": true}]",
      2, "found a boolean; expected a number for 'clientLatency'"),
    Bad(
      "[{\"duration\": 1, \"availableBandwidth\": \"1\"}]", 1,
      "found a string; expected a number for 'availableBandwidth'"),
    Bad("[{\"duration_ms\": \"1\", \"duration_ms\": 1}]", 1, "occurs twice"),
    Bad("\n{ \"a\" : 1}", 2, "found a JSON object; expected a list of objects"),
    Bad("{\"duration_ms\": 1", 1, "found a JSON object; expected a list of objects"),
    Bad("{ \"a\" = 1; }", 1, "DownlinkBandwidth"),
    Bad("[{\"duration_ms\": 1e}]", 1, "found “}”; expected a digit of the exponent"),
    Bad("[{\"duration_ms\": 1}", 1, "the end of the text; expected “,” or “]”"),
    Bad("[{\"duration_ms\": 1}] x", 1, "expected the end of the text"),
    Bad("[{\"dura", 1, "not a format"),
    Bad("[{\"duration\": 1, \"serverEgress\": 1}]", 1, "'clientIngress' is missing"),
    Bad("{ a = 1; }", 1, "DownlinkBandwidth"),
    Bad("{ a = 1 }", 1, "expected ';'"),
    Bad("{ a = {\n DownlinkBandwidth = fast; }; }", 2, "'fast' where a number"),
    Bad("{ DownlinkBandwidth = 1; DownlinkBandwidthUnit = 7; }", 1, "unit 7"),
    Bad("{ DownlinkBandwidth = 1; DownlinkPacketLossRatio = 101; }", 1, "101 % is more"),
    Bad("<plist><dict><key>a</key>", 1, "expected an element"),
    Bad("<plist><dict><key>a</key></dict></plist>", 1, "expected"),
    Bad("<plist>\n<dict><key>a</key><integer>1</dict></plist>", 2, "expected '</integer>'"),
    Bad("<html>", 1, "expected '<plist'"),
    Bad("<plist>\r\n<dict>\r\n<key>a</key><integer>1</dict></plist>", 3, "expected '</integer>'"),
    Bad("<plist>\r<dict>\r\r\n<key>a</key><integer>1</dict></plist>", 4, "expected '</integer>'"),
    Bad("{ /* never closed", 1, "expected '*/'"),
  ]

  /// At the edge of what is read, and of what is quoted as a whole.
  static let edges = [
    Bad("0 1\n1 \(letters(40))\n", 2, "'\(letters(40))' where a number is expected"),
    Bad("0 1\n1 \(letters(41))\n", 2, "'\(letters(40))…' where a number is expected"),
    Bad("0 1 2 3 4 1000000000001\n", 1, "4 bytes in 1000000000001 ms"),
  ]

  @Test(arguments: files + edges)
  func `a bad file is refused with its line and what was expected`(file: Bad) {
    do throws(ImportError) {
      _ = try Imported(Array(file.text.utf8), options: ImportOptions(format: file.format))
      Issue.record("it was read: \(file.text)")
    } catch {
      #expect(error.line == file.line, "\(error)")
      #expect(error.description.contains(file.message), "\(error)")
    }
  }

  @Test func `nesting without end is refused, not followed`() {
    for opening in ["{a=", "(", "<plist><array>" + String(repeating: "<array>", count: 99)] {
      let text = String(repeating: opening, count: opening.hasPrefix("<") ? 1 : 100_000)
      let options = ImportOptions(format: .networkLinkConditioner)
      do throws(ImportError) {
        _ = try Imported(Array(text.utf8), options: options)
        Issue.record("it was read")
      } catch {
        #expect(error.problem == .nestedTooDeeply)
      }
    }
  }

  /// A list within lists: the outermost is not within anything.
  @Test(arguments: [(32, false), (33, true)])
  func `lists are read up to 32 deep within the outermost`(depth: Int, isRefused: Bool) {
    func nested(_ opening: String, _ closing: String) -> String {
      String(repeating: opening, count: depth + 1) + String(repeating: closing, count: depth + 1)
    }
    let styles = [
      nested("(", ")"), "{a=" + nested("(", ")").dropFirst().dropLast() + ";}",
      "<plist>" + nested("<array>", "</array>") + "</plist>",
      "<plist><dict><key>a</key>" + nested("<array>", "</array>").dropFirst(7).dropLast(8)
        + "</dict></plist>",
    ]
    for text in styles {
      do throws(ImportError) {
        _ = try Imported(
          Array(text.utf8), options: ImportOptions(format: .networkLinkConditioner))
        Issue.record("there is no profile in it")
      } catch {
        #expect((error.problem == .nestedTooDeeply) == isRefused, "\(text): \(error)")
      }
    }
  }

  @Test func `no mutant of a trace crashes or hangs the reader`() {
    let seeds = [
      "[{\"duration_ms\": 30000, \"bandwidth_kbps\": 5000, \"latency_ms\": 75}]",
      "[{\"duration\":10,\"serverEgress\":0,\"serverLatency\":80,\"clientIngress\":7170}]",
      "0.0 4.03768755221\n0.549999952316 4.79283060109\n", "0\n1\n1\n3\n", "0,5M\n1,2e3\n",
      "1297715985 5276720 59.894124 10.629597 254601 1010\n",
      "<plist><dict><key>a</key><dict><key>DownlinkBandwidth</key>"
        + "<real>1</real></dict></dict></plist>",
      "{ Profiles = { \"3G\" = { DownlinkBandwidth = 780; UplinkDelay = 1; }; }; }",
    ]
    let spice = Array("0123456789.-+eE,{}[]()<>/=;\"\\\n\r \t#kM%\u{0}\u{FF}".utf8)
    var random = SeededGenerator(4_711)
    var refused = 0
    for round in 0..<2_000 {
      var bytes = Array(seeds[round % seeds.count].utf8)
      for _ in 0..<random.next(in: 1...4) {
        let place = Int(random.next(in: 0...Int64(bytes.count - 1)))
        let byte = spice[Int(random.next(in: 0...Int64(spice.count - 1)))]
        switch random.next(in: 0...3) {
        case 0: bytes.insert(byte, at: place)
        case 1 where bytes.count > 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: bytes[..<place].suffix(9), at: place)
        default: bytes[place] = byte
        }
      }
      do throws(ImportError) {
        if case .trace(let trace) = try Imported(bytes) {
          let link = try? Link(conditions: trace.conditions, schedule: trace.schedule)
          let id = link?.start(Request(bytes: 1_000_000), at: .zero)
          _ = id.flatMap { link?.completion(of: $0) }
        }
      } catch {
        refused += 1
        #expect(error.line >= 1 && !error.description.isEmpty)
      }
    }
    #expect(refused > 500 && refused < 1_900)
  }
}
