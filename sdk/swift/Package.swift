// swift-tools-version: 6.2
import PackageDescription

// The kit for plugins in Swift, as it is installed in share/sonde/swift: packaging/stage-kit.sh lays out the sources.

let package = Package(
    name: "sonde",
    products: [
        .library(
            name: "SondePluginKit",
            targets: ["CSondePlugin", "SondeDomain", "SondeFormats", "SondePluginKit", "SondeWire"]
        ),
        .library(name: "SondeTestKit", targets: ["SondeTestKit"]),
    ],
    targets: [
        .target(name: "CSondePlugin"),
        .target(name: "SondeDomain"),
        .target(name: "SondeFormats", dependencies: ["SondeDomain"]),
        .target(name: "SondeWire"),
        .target(name: "SondePluginKit", dependencies: ["CSondePlugin", "SondeDomain"]),
        .target(name: "SondeTestKit", dependencies: ["CSondePlugin", "SondeDomain", "SondePluginKit"]),
    ]
)

for target in package.targets where !target.name.hasPrefix("C") {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        // The runtime that is installed beside the agent has no library for regular expressions.
        .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]),
    ]
}
