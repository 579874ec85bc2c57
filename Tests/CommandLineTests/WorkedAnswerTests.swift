import Foundation
import TestSupport
import Testing

/// What the README answers with numbers is what its command says.
@Suite(.besideOthers) struct WorkedAnswerTests {
  @Test(.enabled(if: Seeds.areMany, "a debug build leaves it to the release build"))
  func `the figures of the comparison in the README are those of its command`() throws {
    let readme = try String(contentsOf: Checkout.at("README.md"), encoding: .utf8)
      .split(whereSeparator: { $0.isWhitespace }).joined(separator: " ")
    let scenario = "Scenarios/variants/hls-goes-down-before-it-stalls.json"
    let policies = "avfoundation,hls.js 1.6,Shaka 5.2,dash.js 5.1,Media3 1.6"
    let links = "Edge,3G,DSL,LTE,"
    #expect(readme.contains("compare \(scenario) --set player.observedBitrate= "))
    #expect(readme.contains("--policies \"\(policies)\" --links \"\(links)"))
    let place = try Workplace()
    let run = try place.run(
      "compare", Checkout.at(scenario).path, "--set", "player.observedBitrate=", "--policies",
      policies, "--links", links + Checkout.at("Scenarios/links/traces").path, "--format=json")
    #expect(run.exitCode == 0, "\(run.errorText)")
    let answer = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
    let rows = try #require(answer["policies"] as? [[String: Any]])
    func figure(_ name: String, of policy: String) throws -> [String: Any] {
      let row = try #require(rows.first { $0["policy"] as? String == policy })
      return try #require((row["figures"] as? [String: Any])?[name] as? [String: Any])
    }
    func seconds(_ value: Any?) throws -> String {
      String(format: "%.1f", try #require(value as? Double))
    }
    for policy in policies.split(separator: ",").map(String.init) {
      let startup = try figure("startupDelaySeconds", of: policy)
      let interval = try #require(startup["meanInterval"] as? [Double])
      let stalled = try figure("stalledSeconds", of: policy)
      let start = "| \(policy) | \(try seconds(startup["mean"])) s | "
      let row = try #require(readme.components(separatedBy: start).dropFirst().first, "\(start)")
      // Their ends have as many digits as the screen gives them.
      let cells = row.split(separator: "|")
      let ends = cells[0].split(separator: " ").compactMap { Double($0) }
      #expect(ends.count == 2 && zip(ends, interval).allSatisfy { abs($0 - $1) <= 0.5 }, "\(row)")
      #expect(cells[1] == " \(try seconds(stalled["mean"])) s ", "\(start)")
    }
  }
}
