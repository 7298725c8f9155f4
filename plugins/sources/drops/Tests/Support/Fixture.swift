import Foundation
import SondeTestKit

@testable import DropsPlugin

/// The tracefs of a kernel, as files.
enum Fixture {
    static let kernels = ["linux-5.10", "linux-6.0", "linux-6.18"]

    static func path(_ kernel: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/\(kernel)").path
    }

    static func text(_ kernel: String, _ tracepoint: Tracepoint) throws -> [UInt8] {
        let file = "\(path(kernel))/events/\(tracepoint.group)/\(tracepoint.name)/format"
        return Array(try Data(contentsOf: URL(filePath: file)))
    }

    static func format(_ kernel: String, _ tracepoint: Tracepoint) throws -> TracepointFormat? {
        TracepointFormat(try text(kernel, tracepoint), of: tracepoint.name)
    }

    /// A copy in which the tracepoints have the numbers that they have here.
    static func runnable(_ kernel: String) throws -> TemporaryDirectory {
        let copy = try TemporaryDirectory()
        try FileManager.default.copyItem(atPath: "\(path(kernel))/events", toPath: copy.file("events"))
        for type in DropsSettings.events {
            let name = "events/\(type.tracepoint.group)/\(type.tracepoint.name)/id"
            guard FileManager.default.fileExists(atPath: copy.file(name)) else { continue }
            try Data(KernelFile.read("/sys/kernel/tracing/\(name)")).write(to: URL(filePath: copy.file(name)))
        }
        return copy
    }

    /// Every event that a fixture has, with what cannot be counted there.
    static func events(_ kernel: String) -> [any KernelEvent] {
        DropsSettings.events.compactMap { type in
            guard let format = try? format(kernel, type.tracepoint) else { return nil }
            return try? type.init(format)
        }
    }
}
