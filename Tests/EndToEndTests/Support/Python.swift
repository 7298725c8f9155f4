import Foundation

/// The Python interpreter of the system.
enum Python {
    /// Its path; nil when none is installed.
    static let path: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first { path in
        FileManager.default.isExecutableFile(atPath: path)
    }

    /// One that has the code generated from the official definitions of OTLP, from `make servers`; nil when it is not there.
    static let withOTLP: String? = {
        let environment = ProcessInfo.processInfo.environment
        let folder = environment["SONDE_PYTHON"] ?? "\(environment["HOME"] ?? ".")/.cache/sonde/python"
        let path = "\(folder)/bin/python3"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()
}
