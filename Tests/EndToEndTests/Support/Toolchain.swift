import Foundation

/// The Swift compiler of the runtime that this process uses.
enum Toolchain {
    /// The folder of `swift` and `swiftc`; nil when they are not installed beside the runtime.
    static let folder: String? = {
        // Not as a string from its path: that takes a file of unknown length to end with the first page.
        let maps = String(
            decoding: FileHandle(forReadingAtPath: "/proc/self/maps")?.readDataToEndOfFile() ?? Data(), as: UTF8.self)
        guard let line = maps.split(separator: "\n").first(where: { $0.hasSuffix("/lib/swift/linux/libswiftCore.so") }),
            let start = line.firstIndex(of: "/")
        else { return nil }
        let folder = line[start...].dropLast("/lib/swift/linux/libswiftCore.so".count) + "/bin"
        return FileManager.default.isExecutableFile(atPath: "\(folder)/swiftc") ? String(folder) : nil
    }()

    static let compiler = folder.map { "\($0)/swiftc" }
}
