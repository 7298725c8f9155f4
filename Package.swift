// swift-tools-version: 6.2
import PackageDescription

// A target exists to isolate a C library, to be imported by outsiders, or to be the pure bottom: everything else is a
// folder. ARCHITECTURE.md draws the layers; Tests/ArchitectureTests holds the code to them.

/// The parts that a plugin may see.
let pluginContract: [Target.Dependency] = ["SondeDomain", "SondeFormats", "SondePluginKit", "SondeWire"]

/// How the agent is put together (docs/decisions/0101): `static` has Sonde's own plugins and the Swift runtime inside of
/// `sonded`; in `shared` they are objects beside it.
enum Flavour: String {
    case `static`, shared
}

// A manifest cannot throw, and a flavour that was misspelled must not build the other one.
guard let flavour = Flavour(rawValue: Context.environment["SONDE_FLAVOUR"] ?? "static") else {
    fatalError("SONDE_FLAVOUR is static or shared")
}

/// Which code is built where some is made for one kind of processor: `native` has it, `portable` what runs everywhere.
enum MachineCode: String {
    case native, portable
}

guard let machineCode = MachineCode(rawValue: Context.environment["SONDE_MACHINE_CODE"] ?? "native") else {
    fatalError("SONDE_MACHINE_CODE is native or portable")
}

/// Where a program or plugin finds the Swift runtime once it is installed, relative to itself.
///
/// In the build folder the toolchain's own path comes first; `make build` leaves that one out.
func runtimePath(_ path: String) -> LinkerSetting {
    .unsafeFlags(["-Xlinker", "-rpath=\(path)"])
}

/// Links a library where something calls it: in the static flavour the daemon has stand-ins that link it late.
func neededLibrary(_ name: String) -> LinkerSetting {
    .unsafeFlags(["--push-state", "--as-needed", "-l\(name)", "--pop-state"].flatMap { ["-Xlinker", $0] })
}

/// One plugin: a shared object for the daemon, and a target that tests link.
struct Plugin {
    let name: String
    let module: String
    let path: String
    var libraries: [Target.Dependency] = []
    var exclude = ["Fixtures"]

    var product: Product {
        .library(name: name, type: .dynamic, targets: [module])
    }

    var targets: [Target] {
        [
            .target(
                name: module,
                dependencies: pluginContract + ["CSondePlugin"] + libraries,
                path: "\(path)/Sources",
                linkerSettings: [runtimePath("$ORIGIN/../runtime")]
            ),
            .testTarget(
                name: "\(module)Tests",
                dependencies: [.target(name: module), "SondeTestKit"] + pluginContract + libraries,
                path: "\(path)/Tests",
                exclude: exclude
            ),
        ]
    }
}

let plugins = [
    Plugin(
        name: "procnet",
        module: "ProcNetPlugin",
        path: "plugins/sources/procnet",
        libraries: ["SondeNetlink"]
    ),
    Plugin(
        name: "pcap", module: "PcapPlugin", path: "plugins/sources/pcap",
        libraries: ["CPcap", "SondeDNS", "SondeGzip", "SondeNetlink"]),
    Plugin(name: "dnslog", module: "DNSLogPlugin", path: "plugins/sources/dnslog", libraries: ["SondeDNS"]),
    Plugin(name: "drops", module: "DropsPlugin", path: "plugins/sources/drops", libraries: ["CBPF"]),
    Plugin(name: "stdout", module: "StdoutPlugin", path: "plugins/sinks/stdout"),
    Plugin(name: "file", module: "FilePlugin", path: "plugins/sinks/file", libraries: ["CStatx", "SondeGzip"]),
    Plugin(name: "http", module: "HTTPPlugin", path: "plugins/sinks/http", libraries: ["CCurl", "SondeGzip"]),
    Plugin(name: "kafka", module: "KafkaPlugin", path: "plugins/sinks/kafka", libraries: ["CKafka"]),
    Plugin(
        name: "scrape", module: "ScrapePlugin", path: "plugins/sinks/scrape", libraries: ["CMicrohttpd", "SondeGzip"],
        exclude: []),
]

/// What is linked into the daemon besides its own code.
let builtIn: [Target.Dependency] =
    switch flavour {
    case .static: plugins.map { .target(name: $0.module) } + ["CLateLibraries"]
    case .shared: []
    }

/// How the daemon is linked.
///
/// It exports nothing: a foreign plugin in Swift has its own copy of the kit and of the runtime, and must not get the agent's.
let daemonLinking: [LinkerSetting] =
    switch flavour {
    case .static:
        [
            .unsafeFlags(["-use-ld=lld", "-static-stdlib", "-Xclang-linker", "-static-libgcc"]),
            // What runs stands beside each other: less of the file is resident. packaging/hot-functions.py makes the list.
            .unsafeFlags(
                [
                    "-Xlinker", "--symbol-ordering-file=\(Context.packageDirectory)/packaging/hot-functions.txt",
                    "-Xlinker", "--no-warn-symbol-ordering", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
                    "-Xlinker", "\(Context.packageDirectory)/packaging/zeros.ld",
                ], .when(configuration: .release)),
            .unsafeFlags(
                ["-Xlinker", "--version-script=\(Context.packageDirectory)/packaging/plugin.map"],
                .when(configuration: .debug)),
        ]
    case .shared: [runtimePath("$ORIGIN/../lib/sonde/runtime")]
    }

/// Worked examples in Swift: built and tested here, and shipped as sources.
let examples = [Plugin(name: "ping", module: "PingPlugin", path: "plugins/examples/ping", exclude: [])]

let package = Package(
    name: "sonde",
    products: [
        .executable(name: "sonde", targets: ["sonde"]),
        .executable(name: "sonded", targets: ["sonded"]),
        .executable(name: "sonde-supervisor", targets: ["sonde-supervisor"]),
        .executable(name: "sonde-web", targets: ["sonde-web"]),
        .library(
            name: "SondePluginKit",
            targets: ["CSondePlugin", "SondeDomain", "SondeFormats", "SondePluginKit", "SondeWire"]
        ),
        .library(name: "SondeTestKit", targets: ["SondeTestKit"]),
    ] + (plugins + examples).map(\.product),
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        // For sonde-web alone. Without its traits: nothing of it reads a configuration or needs all of Foundation.
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ],
    targets: [
        // 0: C headers and module maps; each C library is imported by exactly one target.
        .target(name: "CSondePlugin"),
        .target(name: "CLinux", dependencies: ["CSondePlugin"]),
        .target(name: "CBPF"),
        .systemLibrary(name: "CStatx"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CCurl", linkerSettings: [neededLibrary("curl")]),
        .target(name: "CKafka", linkerSettings: [neededLibrary("rdkafka")]),
        .target(name: "CMicrohttpd", linkerSettings: [neededLibrary("microhttpd")]),
        .target(name: "CLateLibraries"),
        .target(name: "CNetlink"),
        .target(name: "CPcap", linkerSettings: [neededLibrary("pcap")]),
        .target(name: "CRemoteFetch"),
        .target(name: "CShippedPlugins", dependencies: ["CSondePlugin"]),
        .target(name: "CWebPage"),
        // 1
        .target(name: "SondeDomain"),
        // 2
        .target(name: "SondeFormats", dependencies: ["SondeDomain"]),
        .target(name: "SondePluginKit", dependencies: ["CSondePlugin", "SondeDomain"]),
        .target(name: "SondeWire"),
        .target(name: "SondeDNS", dependencies: ["SondeDomain", "SondeFormats", "SondePluginKit", "SondeWire"]),
        .target(name: "SondeGzip", dependencies: ["CZlib"]),
        .target(name: "SondeNetlink", dependencies: ["CNetlink", "SondeDomain"]),
        // 3
        .target(name: "SondeEngine", dependencies: ["SondeDomain", "SondeFormats"]),
        // 4
        .target(
            name: "SondeGateways",
            dependencies: [
                "CLinux", "CShippedPlugins", "CSondePlugin", "CSQLite", "CYAML", "SondeDomain", "SondeEngine",
                "SondeFormats", "SondePluginKit",
            ]
        ),
        .target(name: "SondePresentation", dependencies: ["SondeDomain", "SondeEngine", "SondeFormats"]),
        // 5
        .executableTarget(
            name: "sonded",
            dependencies: [
                "CLinux", "CRemoteFetch", "SondeDomain", "SondeEngine", "SondeFormats", "SondeGateways",
                "SondePresentation",
            ] + builtIn,
            linkerSettings: daemonLinking
        ),
        .executableTarget(
            name: "sonde-supervisor",
            cSettings: [.headerSearchPath("../CLinux/include")],
            // It is C: linked as Embedded Swift is, without the runtime, which it would not find beside itself.
            linkerSettings: [.unsafeFlags(["-nostartfiles", "-enable-experimental-feature", "Embedded"])]
        ),
        // A process of its own: none of what a server of HTTP needs is in the daemon.
        .target(
            name: "SondeWeb",
            dependencies: [
                "CLinux", "CWebPage", "SondeDomain", "SondeEngine", "SondeFormats", "SondeGateways", "SondeGzip",
                "SondePresentation", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            exclude: ["Page"]
        ),
        .executableTarget(
            name: "sonde-web",
            dependencies: ["SondeEngine", "SondeWeb"],
            linkerSettings: [
                .unsafeFlags([
                    "-static-stdlib", "-Xclang-linker", "-static-libgcc", "-l_FoundationCShims",
                    "-l_FoundationCollections", "-lswiftSynchronization",
                ])
            ]
        ),
        // The argument parser needs FoundationEssentials, 10 MB that nothing else of Sonde loads: linked statically, it
        // stays inside this one short-lived program.
        .executableTarget(
            name: "sonde",
            dependencies: [
                "SondeDomain", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            linkerSettings: [
                .unsafeFlags([
                    "-use-ld=lld", "-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections",
                    "-lswiftSynchronization",
                ]),
                // A command that runs for an instant: nobody walks its stack, and its tables of addresses are packed.
                .unsafeFlags(
                    [
                        "-Xlinker", "\(Context.packageDirectory)/packaging/no-unwinding.ld", "-Xlinker",
                        "--no-eh-frame-hdr", "-Xlinker", "\(Context.packageDirectory)/packaging/zeros.ld",
                        "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
                    ], .when(configuration: .release)),
            ]
        ),
        .target(
            name: "SondeTestKit",
            dependencies: [
                "CSondePlugin", "SondeDomain", "SondeEngine", "SondeFormats", "SondeNetlink", "SondePluginKit",
            ]
        ),
        .executableTarget(
            name: "procnet-benchmark",
            dependencies: ["CSondePlugin", "ProcNetPlugin"],
            path: "Benchmarks/procnet",
            exclude: ["README.md", "collectd.sh", "run.sh", "sockets.sh"]
        ),
        .executableTarget(
            name: "pipeline-benchmark",
            dependencies: ["SondeDomain", "SondeEngine", "SondeGateways"],
            path: "Benchmarks/pipeline",
            exclude: ["run.sh"]
        ),
        .executableTarget(
            name: "spool-benchmark",
            dependencies: ["SondeDomain", "SondeEngine", "SondeGateways"],
            path: "Benchmarks/spool",
            exclude: ["run.sh"]
        ),
        .executableTarget(
            name: "history-benchmark",
            dependencies: ["SondeDomain", "SondeEngine", "SondeFormats", "SondeGateways"],
            path: "Benchmarks/history",
            exclude: ["run.sh"]
        ),
        .executableTarget(
            name: "pcap-benchmark",
            dependencies: ["PcapPlugin"],
            path: "Benchmarks/pcap",
            exclude: ["run.sh"]
        ),
        .executableTarget(
            name: "dnslog-benchmark",
            dependencies: ["DNSLogPlugin"],
            path: "Benchmarks/dnslog",
            exclude: ["rotate.sh", "run.sh"]
        ),
        .executableTarget(
            name: "formats-benchmark",
            dependencies: ["SondeDomain", "SondeFormats"],
            path: "Benchmarks/formats",
            exclude: ["run.sh"]
        ),
        .executableTarget(
            name: "wire-benchmark",
            dependencies: ["SondeWire"],
            path: "Benchmarks/wire",
            exclude: ["run.sh"]
        ),
        .executableTarget(
            name: "web-benchmark",
            dependencies: ["SondeDomain", "SondePresentation", "SondeWeb"],
            path: "Benchmarks/web",
            exclude: ["README.md", "run.py"]
        ),
        .executableTarget(
            name: "sonde-simulate",
            dependencies: ["SondeDomain", "SondeEngine", "SondeGateways", "SondeTestKit"],
            path: "Tests/Simulation"
        ),
        .testTarget(
            name: "ArchitectureTests",
            dependencies: [
                "CSondePlugin", "SondeDomain", "SondeTestKit",
                // Nothing of them is called: they are compiled with the tests, so that a change that breaks one is noticed.
                "dnslog-benchmark", "formats-benchmark", "pcap-benchmark", "pipeline-benchmark", "procnet-benchmark",
                "web-benchmark", "wire-benchmark",
            ],
            exclude: ["Changes"]),
        .testTarget(name: "CommandLineTests"),
        .testTarget(name: "SondeDomainTests", dependencies: ["SondeDomain", "SondeTestKit"]),
        .testTarget(name: "SondeFormatsTests", dependencies: ["SondeDomain", "SondeFormats", "SondeTestKit"]),
        .testTarget(
            name: "SondePluginKitTests",
            dependencies: ["CSondePlugin", "SondeDomain", "SondePluginKit", "SondeTestKit"]
        ),
        .testTarget(name: "SondeGzipTests", dependencies: ["SondeGzip"]),
        .testTarget(
            name: "SondeNetlinkTests",
            dependencies: ["SondeDomain", "SondeNetlink", "SondeTestKit"]
        ),
        .testTarget(name: "SondeWireTests", dependencies: ["SondeWire", "SondeTestKit"]),
        .testTarget(name: "SondeEngineTests", dependencies: ["SondeDomain", "SondeEngine", "SondeTestKit"]),
        .testTarget(
            name: "SondeGatewaysTests",
            dependencies: [
                "CLinux", "CRemoteFetch", "CSondePlugin", "CSQLite", "SondeDomain", "SondeEngine", "SondeFormats",
                "SondeGateways", "SondePluginKit", "SondeTestKit",
            ] + plugins.map { .target(name: $0.module) },
            exclude: ["PluginLoading/Fixtures"]
        ),
        .testTarget(
            name: "SondePresentationTests",
            dependencies: [
                "SondeDomain", "SondeEngine", "SondeFormats", "SondeGateways", "SondePresentation", "SondeTestKit",
            ],
            exclude: ["Dashboard/Golden"]
        ),
        .testTarget(
            name: "SondeWebTests",
            dependencies: [
                "SondeDomain", "SondeEngine", "SondeFormats", "SondeGateways", "SondeGzip", "SondePresentation",
                "SondeTestKit", "SondeWeb", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            ]
        ),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["sonde-simulate", "SondeDomain", "SondeTestKit"]
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["SondeDomain", "SondeEngine", "SondeFormats", "SondeGateways", "SondeGzip"],
            exclude: ["Fixtures", "Golden"]),
    ] + (plugins + examples).flatMap(\.targets)
)

/// What the daemon links must not pull in the string-processing library: 3 MB of resident memory for nothing.
let daemonSettings: [SwiftSetting] = [
    .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])
]

for target in package.targets where ![.system, .plugin, .macro].contains(target.type) && !target.name.hasPrefix("C") {
    let runsInDaemon = target.type != .test && target.name != "sonde"
    target.swiftSettings =
        [
            .swiftLanguageMode(.v6),
            .treatAllWarnings(as: .error),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
        ] + (runsInDaemon ? daemonSettings : [])
}

/// What shows and asks, rather than carrying samples: smaller code for more instructions.
for target in package.targets where ["SondePresentation", "sonde", "sonded"].contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-Osize"], .when(configuration: .release)))
}

// The targets with code for one kind of processor. Not for all: the others would be built again for nothing.
for target in package.targets
where machineCode == .portable && ["CLateLibraries", "DNSLogPlugin"].contains(target.name) {
    target.cSettings = [.define("SONDE_PORTABLE")]
    target.swiftSettings = (target.swiftSettings ?? []) + [.define("SONDE_PORTABLE")]
}
