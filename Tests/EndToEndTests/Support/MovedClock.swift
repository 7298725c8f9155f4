import Foundation
import Glibc
import Testing

/// A clock of one program that is moved by a file.
struct MovedClock {
    let environment: [String: String]
    private let file: String

    init(in workspace: Workspace) async throws {
        let object = workspace.path("clock.so")
        let result = try await workspace.run([
            "/usr/bin/cc", "-O1", "-shared", "-fPIC", Checkout.path("Tests/Faults/clock.c"), "-o", object,
        ])
        try #require(result.end == .exited(0), "\(result.errors)")
        file = workspace.path("clock")
        environment = ["LD_PRELOAD": object, "FAULT_CLOCK": file]
        try move(by: 0)
    }

    func move(by seconds: Double) throws {
        // In place: the program has the file mapped.
        let descriptor = open(file, O_RDWR | O_CREAT, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var nanoseconds = Int64(seconds * 1e9)
        #expect(pwrite(descriptor, &nanoseconds, 8, 0) == 8)
    }
}
