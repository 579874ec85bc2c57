// swift-tools-version: 6.2
import PackageDescription

// A team's own package: an app's player screen, and its tests in virtual time.
// Outside this checkout the dependency would name the repository instead of a path.
let package = Package(
  name: "SampleApp",
  dependencies: [.package(name: "goldilocks", path: "../..")],
  targets: [
    .target(name: "PlayerScreen"),
    .testTarget(
      name: "PlayerScreenTests",
      dependencies: [
        "PlayerScreen",
        .product(name: "SimulatedWorld", package: "goldilocks"),
      ]),
  ]
)
