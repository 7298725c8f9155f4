import Foundation

/// The Python interpreter of the system.
enum Python {
    /// Its path; nil when none is installed.
    static let path: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first { path in
        FileManager.default.isExecutableFile(atPath: path)
    }

    /// One that has the code generated from the official definitions of OTLP, from `make servers`; nil when it is not there.
    static let withOTLP = has("opentelemetry") ? environmentPath : nil

    /// The same for the official definitions of remote write.
    static let withRemoteWrite = has("prometheus_v2") ? environmentPath : nil

    private static let folder: String = {
        let environment = ProcessInfo.processInfo.environment
        return environment["SONDE_PYTHON"] ?? "\(environment["HOME"] ?? ".")/.cache/sonde/python"
    }()

    private static let environmentPath = "\(folder)/bin/python3"

    private static func has(_ package: String) -> Bool {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/lib")) ?? []
        return FileManager.default.isExecutableFile(atPath: environmentPath)
            && versions.contains { version in
                FileManager.default.fileExists(atPath: "\(folder)/lib/\(version)/site-packages/\(package)")
            }
    }
}
