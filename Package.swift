// swift-tools-version: 6.3
import PackageDescription

// The manifest is the plan of the house: a floor stands below everything that names it.
// Arrows point down only, and the four siblings of the middle floor never meet.

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func floor(_ name: String, on below: [String] = []) -> Target {
  .target(
    name: name,
    dependencies: below.map { .target(name: $0) },
    swiftSettings: settings)
}

// What a release build tests is the house: its tests themselves need no optimizer.
func tests(_ name: String, of subjects: [String], beside data: [String] = []) -> Target {
  .testTarget(
    name: name,
    dependencies: (subjects + ["TestSupport"]).map { .target(name: $0) },
    exclude: data,
    swiftSettings: settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))])
}

/// Everything up to and including the player.
let engine = [
  "VirtualTime", "LinkConditioner", "StreamingMedia", "Autowait", "PlayerPolicies",
  "SimulatedPlayback",
]

/// Everything a scenario needs to run.
let simulator =
  engine + ["ExactText", "SimulatedWorld", "Recording", "ScenarioFormat", "ScenarioRunner"]

let package = Package(
  name: "goldilocks",
  // The first versions with `Int128`.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .executable(name: "goldilocks", targets: ["goldilocks"]),
    .library(name: "SimulatedWorld", targets: ["SimulatedWorld"]),
    .library(name: "PlayerTesting", targets: ["PlayerTesting"]),
    .library(name: "GoldilocksTesting", targets: ["GoldilocksTesting"]),
  ],
  targets: [
    floor("VirtualTime"),
    floor("ExactText"),
    floor("LinkConditioner", on: ["VirtualTime", "ExactText"]),
    floor("StreamingMedia", on: ["VirtualTime"]),
    floor("Autowait", on: ["VirtualTime"]),
    floor("PlayerPolicies", on: ["VirtualTime"]),
    floor(
      "SimulatedPlayback",
      on: ["VirtualTime", "LinkConditioner", "StreamingMedia", "Autowait", "PlayerPolicies"]),
    floor("SimulatedWorld", on: engine),
    floor("Recording", on: engine + ["SimulatedWorld"]),
    floor("ScenarioFormat", on: engine + ["ExactText", "SimulatedWorld", "Recording"]),
    floor(
      "ScenarioRunner",
      on: engine + ["ExactText", "SimulatedWorld", "Recording", "ScenarioFormat"]),
    floor("HeuristicComparison", on: simulator),
    floor("RunReports", on: simulator),
    // AVPlayer's names with its types, and tasks in virtual time.
    floor("PlayerTesting", on: engine + ["ExactText", "SimulatedWorld"]),
    floor("GoldilocksTesting", on: simulator + ["PlayerTesting"]),
    // The style sheet and scripts of the page that the command writes.
    .target(
      name: "PageFiles",
      exclude: ["comparison.js", "controls.js", "page.css", "page.js", "worker.js"]),
    floor("SystemLibrary"),
    .executableTarget(
      name: "goldilocks",
      dependencies: (simulator + ["HeuristicComparison", "RunReports", "PageFiles"]
        + ["SystemLibrary"]).map { .target(name: $0) },
      swiftSettings: settings),

    // The same engine in a web page: built for wasm32 by `.ci/build-for-browser`.
    .target(name: "BrowserRuntime"),
    .target(
      name: "BrowserEngine",
      dependencies: (simulator + ["RunReports", "BrowserRuntime"]).map { .target(name: $0) },
      swiftSettings: settings),

    .target(
      name: "TestSupport", dependencies: ["VirtualTime", "PlayerPolicies"],
      path: "Tests/TestSupport", swiftSettings: settings),
    tests("VirtualTimeTests", of: ["VirtualTime"]),
    tests("LinkConditionerTests", of: ["VirtualTime", "LinkConditioner"]),
    tests("StreamingMediaTests", of: ["VirtualTime", "StreamingMedia"]),
    tests("AutowaitTests", of: ["VirtualTime", "Autowait"]),
    tests("PolicyTests", of: ["VirtualTime", "PlayerPolicies"], beside: ["Published"]),
    tests("PlaybackTests", of: engine + ["SimulatedWorld"]),
    tests("WorldTests", of: simulator + ["GoldilocksTesting", "PlayerTesting"]),
    tests(
      "ScenarioTests", of: simulator + ["RunReports"], beside: ["Goldens", "PresetConstants.txt"]),
    tests("ComparisonTests", of: simulator + ["HeuristicComparison", "RunReports"]),
    // The command is a dependency so that it is built; the tests run the binary.
    tests("CommandLineTests", of: ["goldilocks"], beside: ["Measurements", "Recomputation"]),
    tests("HouseTests", of: [], beside: ["Stubs"]),
  ]
)
