import Foundation

/// What a real resolver wrote, from the folder of fixtures.
enum Recording {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures")

    /// The bytes of the file `name`, which is compressed there.
    static func bytes(_ name: String) throws -> [UInt8] {
        let gzip = Process()
        gzip.executableURL = URL(filePath: "/usr/bin/gzip")
        gzip.arguments = ["-dc", folder.appending(path: "\(name).gz").path]
        let output = Pipe()
        gzip.standardOutput = output
        try gzip.run()
        let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        gzip.waitUntilExit()
        return bytes
    }
}
