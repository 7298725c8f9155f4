import Foundation

/// The Python interpreter of the system.
enum Python {
    /// Its path; nil when none is installed.
    static let path: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first { path in
        FileManager.default.isExecutableFile(atPath: path)
    }
}
