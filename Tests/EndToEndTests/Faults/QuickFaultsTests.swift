import Testing

/// The quick part of `make faults`: kills, an unusable state directory, two agents, a failing receiver, a stop during an
/// outage.
@Suite(.enabled(if: Python.path != nil, "python3 is not installed"))
struct QuickFaultsTests {
    @Test func nothingIsLostUnderFaults() async throws {
        let python = try #require(Python.path)
        try await Workspace.use(.oneForLong) { workspace in
            let child = try workspace.start(
                [python, "-B", Checkout.path("Tests/Faults/run.py"), "--quick", "--build", Checkout.buildFolder],
                as: "faults"
            )
            let end = try await child.waitForEnd(within: .seconds(180))
            #expect(end == .exited(0), "\(workspace.read("faults.out"))\(workspace.read("faults.err"))")
            #expect(workspace.read("faults.out").contains("PASS kill-loop"))
        }
    }
}
