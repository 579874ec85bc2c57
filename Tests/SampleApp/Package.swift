// swift-tools-version: 6.3
import PackageDescription

// A team's own package: an app's player screen, and its tests in virtual time.
// Outside this checkout the dependency would name the repository instead of a path.
let package = Package(
  name: "SampleApp",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "goldilocks", path: "../..")],
  targets: [
    // The seam between the app and its player: AVPlayer's names, which a team may copy.
    .target(name: "PlayerInterfaces"),
    .target(name: "PlayerScreen", dependencies: ["PlayerInterfaces"]),
    .testTarget(
      name: "PlayerScreenTests",
      dependencies: [
        "PlayerScreen",
        .product(name: "GoldilocksTesting", package: "goldilocks"),
      ]),
  ]
)
