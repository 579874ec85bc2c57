// swift-tools-version: 6.2
import PackageDescription

// The manifest is the plan of the house: a floor stands below everything that names it.
// Arrows point down only, and the three siblings of the middle floor never meet.

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

func tests(_ name: String, of subjects: [String]) -> Target {
  .testTarget(
    name: name,
    dependencies: subjects.map { .target(name: $0) },
    swiftSettings: settings)
}

/// Everything up to and including the player.
let engine = [
  "VirtualTime", "LinkConditioner", "StreamingMedia", "Autowait", "SimulatedPlayback",
]

let package = Package(
  name: "goldilocks",
  products: [
    .executable(name: "goldilocks", targets: ["goldilocks"]),
    .library(name: "SimulatedWorld", targets: ["SimulatedWorld"]),
  ],
  targets: [
    floor("VirtualTime"),
    floor("LinkConditioner", on: ["VirtualTime"]),
    floor("StreamingMedia", on: ["VirtualTime"]),
    floor("Autowait", on: ["VirtualTime"]),
    floor(
      "SimulatedPlayback", on: ["VirtualTime", "LinkConditioner", "StreamingMedia", "Autowait"]),
    floor("SimulatedWorld", on: engine),
    floor("ScenarioRunner", on: engine + ["SimulatedWorld"]),
    floor("HeuristicComparison", on: engine + ["SimulatedWorld", "ScenarioRunner"]),
    floor("RunReports", on: engine + ["SimulatedWorld", "ScenarioRunner"]),
    .executableTarget(
      name: "goldilocks",
      dependencies: (engine + ["SimulatedWorld", "ScenarioRunner", "HeuristicComparison", "RunReports"])
        .map { .target(name: $0) },
      swiftSettings: settings),
    tests("VirtualTimeTests", of: ["VirtualTime"]),
  ]
)
