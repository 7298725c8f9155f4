// swift-tools-version: 6.2
import PackageDescription

// To make the plugin by itself; in the repository of Sonde it is a target of the whole.

/// The kit of the installed agent.
let sonde = Package.Dependency.package(name: "sonde", path: "/usr/share/sonde/swift")
let kit = Target.Dependency.product(name: "SondePluginKit", package: "sonde")
let testKit = Target.Dependency.product(name: "SondeTestKit", package: "sonde")

// The runtime that is installed beside the agent has no library for regular expressions: the plugin must not ask for it.
let plain = SwiftSetting.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])

let package = Package(
    name: "ping",
    products: [.library(name: "ping", type: .dynamic, targets: ["PingPlugin"])],
    dependencies: [sonde],
    targets: [
        .target(name: "PingPlugin", dependencies: [kit], path: "Sources", swiftSettings: [plain]),
        .testTarget(name: "PingPluginTests", dependencies: ["PingPlugin", kit, testKit], path: "Tests"),
    ]
)
