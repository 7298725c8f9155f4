import Foundation
import Testing

private let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
}

/// The quick part of `make faults`: kills, an unusable state directory, two agents, a failing receiver, a stop during an
/// outage.
@Suite struct QuickFaultsTests {
    @Test(.enabled(if: python != nil, "python3 is not installed"))
    func nothingIsLostUnderFaults() async throws {
        let python = try #require(python)
        try await Workspace.use { workspace in
            let child = try workspace.start(
                [python, Checkout.path("Tests/Faults/run.py"), "--quick", "--build", Checkout.buildFolder],
                as: "faults"
            )
            let end = try await child.waitForEnd(within: .seconds(180))
            #expect(end == .exited(0), "\(workspace.read("faults.out"))\(workspace.read("faults.err"))")
            #expect(workspace.read("faults.out").contains("PASS kill-loop"))
        }
    }
}
