// swift-tools-version: 6.2
import PackageDescription

/// The kit of the installed agent.
let sonde = Package.Dependency.package(name: "sonde", path: "/usr/share/sonde/swift")
let kit = Target.Dependency.product(name: "SondePluginKit", package: "sonde")
let testKit = Target.Dependency.product(name: "SondeTestKit", package: "sonde")

// The runtime that is installed beside the agent has no library for regular expressions: the plugin must not ask for it.
let plain = SwiftSetting.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])

let package = Package(
    name: "newthing",
    products: [.library(name: "newthing", type: .dynamic, targets: ["NewThingPlugin"])],
    dependencies: [sonde],
    targets: [
        .target(name: "NewThingPlugin", dependencies: [kit], swiftSettings: [plain]),
        .testTarget(name: "NewThingPluginTests", dependencies: ["NewThingPlugin", kit, testKit]),
    ]
)
