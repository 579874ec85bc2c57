import ExactText
import RunReports
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing

/// Switches that the recording of a session counts are those that its viewer had.
@Suite struct FieldSwitchTests {
  /// Switches of a run, and those of its recording once it was written as a HAR and read again.
  private func switches(
    _ scenario: Scenario
  ) throws -> (run: Int64, recording: Int64, session: FieldSession) {
    var options = RunOptions(keepsTrace: true)
    options.keepsCurves = true
    let outcome = try run(scenario, options: options)
    var writer = JSONWriter()
    writer.tree(HARDocument(scenario, outcome).document)
    let session = try FieldSession(FieldLog(har: writer.bytes), name: "a", folder: "field/")
    let recording = try report(on: session.trace(), file: "field.trace").outcome
    return (outcome.player.media.variantSwitches, recording.player.media.variantSwitches, session)
  }

  /// The lowest variant is one of the separate sounds, as in RFC 8216 §8.7.
  @Test(arguments: [false, true])
  func `the sound of other variants is no variant of its own`(isFast: Bool) throws {
    var text = String(
      decoding: try ShippedScenario.named("hls-sound-alone-is-a-rendition").bytes, as: UTF8.self)
    if isFast {
      text = text.replacing("100 kbit/s", with: "9 Mbit/s").replacing(
        "\"startsOnFirstEligibleVariant\": true", with: "\"observedBitrate\": \"9 Mbit/s\"")
      let expectations = try #require(text.firstRange(of: "\"expect\""))
      text = text[..<expectations.lowerBound] + "\"horizon\": \"200 s\" }"
    }
    let found = try switches(readScenario(Array(text.utf8), file: "a.json"))
    #expect(found.run == (isFast ? 0 : 2) && found.recording == found.run)
    #expect(!found.session.document.json.contains(#""do":"seek""#))
  }

  @Test func `a segment that was given up is of no switch`() throws {
    let found = try switches(ShippedScenario.named("hls-goes-down-before-it-stalls").read())
    #expect(found.run == 1 && found.recording == 1)
    #expect(found.session.document.json.contains("\"bytes\""))
  }
}
