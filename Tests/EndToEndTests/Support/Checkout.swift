import Foundation

/// The files of this checkout and what was built from them.
enum Checkout {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Where the test binary, the programs and the plugins were built.
    static let buildFolder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path

    static let sonde = "\(buildFolder)/sonde"
    static let sonded = "\(buildFolder)/sonded"

    /// Whether Sonde's own plugins are linked into `sonded`, as Package.swift decides.
    static let hasBuiltInPlugins = ProcessInfo.processInfo.environment["SONDE_FLAVOUR"] != "shared"

    static func path(_ relative: String) -> String {
        root.appending(path: relative).path
    }

    static func text(_ relative: String) throws -> String {
        try String(contentsOfFile: path(relative), encoding: .utf8)
    }

    /// A frozen /proc.
    static func proc(_ fixture: String) -> String {
        path("plugins/sources/procnet/Tests/Fixtures/\(fixture)/proc")
    }

    /// The paths, relative to the root, of the YAML files that people copy from.
    static let shippedConfigurations: [String] = {
        let plugins = ["sources", "sinks"].flatMap { kind in
            names(in: "plugins/\(kind)").map { "plugins/\(kind)/\($0)/sample.yaml" }
        }
        let examples = names(in: "config/examples").map { "config/examples/\($0)" }
        return (plugins + examples + ["config/sonde.yaml", "packaging/sonde.yaml"]).filter { file in
            file.hasSuffix(".yaml") && FileManager.default.fileExists(atPath: path(file))
        }
    }()

    private static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []).sorted()
    }
}
