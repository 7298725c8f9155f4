import Testing

/// What the Swift files of one folder may import.
struct ImportRule: Sendable, CustomTestStringConvertible {
    let folder: String
    let allowed: Set<String>

    var testDescription: String { folder }

    /// The imports in `text` that the rule forbids.
    func offences(in text: String) -> [String] {
        Self.imports(in: text).filter { !allowed.contains($0) }
    }

    /// The modules that a Swift file imports, whatever attributes, access level or kind stand before them.
    static func imports(in text: String) -> [String] {
        let pattern =
            /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:typealias|struct|class|enum|protocol|let|var|func)\s+)?(\w+)/
            .anchorsMatchLineEndings()
        return text.matches(of: pattern).map { String($0.1) }
    }
}

extension ImportRule {
    private static let contract: Set = ["CSondePlugin", "SondeDomain", "SondeFormats", "SondePluginKit"]
    private static let system: Set = ["Glibc", "Synchronization"]

    /// What Hummingbird and what is below it are imported as.
    static let webServer: Set = [
        "HTTPTypes", "HummingbirdCore", "HummingbirdTLS", "Logging", "NIOCore", "NIOHTTPTypes", "NIOPosix", "NIOSSL",
        "ServiceLifecycle", "UnixSignals",
    ]

    private static func plugin(_ folder: String, _ ownLibraries: Set<String> = []) -> ImportRule {
        ImportRule(
            folder: "plugins/\(folder)/Sources",
            allowed: contract.union(system).union(["SondeWire"]).union(ownLibraries)
        )
    }

    /// The layers, from the bottom to the top.
    ///
    /// A folder that is not here fails.
    static let all = [
        ImportRule(folder: "Sources/CBPF", allowed: []),
        ImportRule(folder: "Sources/CCurl", allowed: []),
        ImportRule(folder: "Sources/CKafka", allowed: []),
        ImportRule(folder: "Sources/CLateLibraries", allowed: []),
        ImportRule(folder: "Sources/CLinux", allowed: []),
        ImportRule(folder: "Sources/sonde-supervisor", allowed: []),
        ImportRule(folder: "Sources/CMicrohttpd", allowed: []),
        ImportRule(folder: "Sources/CNetlink", allowed: []),
        ImportRule(folder: "Sources/CPcap", allowed: []),
        ImportRule(folder: "Sources/CSQLite", allowed: []),
        ImportRule(folder: "Sources/CRemoteFetch", allowed: []),
        ImportRule(folder: "Sources/CShippedPlugins", allowed: []),
        ImportRule(folder: "Sources/CSondePlugin", allowed: []),
        ImportRule(folder: "Sources/CStatx", allowed: []),
        ImportRule(folder: "Sources/CYAML", allowed: []),
        ImportRule(folder: "Sources/CWebPage", allowed: []),
        ImportRule(folder: "Sources/CZlib", allowed: []),
        ImportRule(folder: "Sources/SondeDomain", allowed: []),
        ImportRule(folder: "Sources/SondeFormats", allowed: ["SondeDomain"]),
        ImportRule(folder: "Sources/SondePluginKit", allowed: system.union(["CSondePlugin", "SondeDomain"])),
        ImportRule(folder: "Sources/SondeWire", allowed: []),
        ImportRule(
            folder: "Sources/SondeDNS", allowed: ["SondeDomain", "SondeFormats", "SondePluginKit", "SondeWire"]),
        ImportRule(folder: "Sources/SondeGzip", allowed: ["CZlib"]),
        ImportRule(folder: "Sources/SondeNetlink", allowed: ["CNetlink", "Glibc", "SondeDomain"]),
        ImportRule(folder: "Sources/SondeEngine", allowed: ["SondeDomain", "SondeFormats", "Synchronization"]),
        ImportRule(folder: "Sources/SondePresentation", allowed: ["SondeDomain", "SondeEngine", "SondeFormats"]),
        ImportRule(
            folder: "Sources/SondeGateways",
            allowed: contract.union(system).union(["CLinux", "CSQLite", "CShippedPlugins", "CYAML", "SondeEngine"])
        ),
        ImportRule(
            folder: "Sources/sonded",
            allowed: system.union([
                "CLinux", "CRemoteFetch", "SondeDomain", "SondeEngine", "SondeFormats", "SondeGateways",
                "SondePresentation",
            ])
        ),
        // The only ones with a server of HTTP, and with the Foundation that it brings.
        ImportRule(
            folder: "Sources/SondeWeb",
            allowed: system.union(webServer).union([
                "CLinux", "CWebPage", "SondeDomain", "SondeEngine", "SondeFormats", "SondeGateways", "SondeGzip",
                "SondePresentation",
            ])
        ),
        ImportRule(folder: "Sources/sonde-web", allowed: ["Glibc", "SondeEngine", "SondeWeb"]),
        ImportRule(folder: "Sources/sonde", allowed: ["ArgumentParser", "Glibc", "SondeDomain"]),
        ImportRule(
            folder: "Sources/SondeTestKit", allowed: contract.union(system).union(["SondeEngine", "SondeNetlink"])),
        plugin("sources/dnslog", ["SondeDNS", "_Builtin_intrinsics"]),
        plugin("sources/drops", ["CBPF"]),
        plugin("sources/pcap", ["CPcap", "SondeDNS", "SondeGzip", "SondeNetlink"]),
        plugin("sources/procnet", ["SondeNetlink"]),
        plugin("sinks/file", ["CStatx", "SondeGzip"]),
        plugin("sinks/http", ["CCurl", "SondeGzip"]),
        plugin("sinks/kafka", ["CKafka"]),
        plugin("sinks/scrape", ["CMicrohttpd", "SondeGzip"]),
        plugin("sinks/stdout"),
        plugin("examples/ping"),
        // What an installed agent has for plugins that are made elsewhere.
        ImportRule(folder: "Sources/SondeTestKit/Plugins", allowed: contract.union(system)),
        ImportRule(folder: "Sources/SondeTestKit/Processes", allowed: system),
    ]

    /// The libraries that cost memory or privileges: each belongs to one folder.
    static let ownedLibraries = [
        "ArgumentParser", "CBPF", "CCurl", "CKafka", "CMicrohttpd", "CNetlink", "CPcap", "CRemoteFetch", "CSQLite",
        "CShippedPlugins",
        "CStatx",
        "CWebPage", "CYAML", "CZlib",
    ]
}
