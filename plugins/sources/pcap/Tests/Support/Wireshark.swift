import Foundation

/// Wireshark's capinfos(1), as a second opinion.
enum Wireshark {
    private static let path = ["/usr/bin/capinfos", "/usr/local/bin/capinfos"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    static var isInstalled: Bool { path != nil }

    /// Packets, bytes on the wire and seconds of a file.
    static func count(_ bytes: [UInt8]) throws -> (packets: Int, bytes: Int, duration: Double?) {
        let file = FileManager.default.temporaryDirectory.appending(path: "pcap-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(bytes).write(to: file)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: path ?? "")
        // Machine-readable: table, without header, comma, then count, size of the data, duration.
        process.arguments = ["-T", "-m", "-r", "-c", "-d", "-u", "-M", file.path]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let words = text.split(whereSeparator: \.isNewline).first?.split(separator: ",").map(String.init) ?? []
        guard words.count >= 4, let packets = Int(words[1]), let bytes = Int(words[2]) else {
            throw CocoaError(.fileReadUnknown)
        }
        return (packets, bytes, Double(words[3]))
    }
}
