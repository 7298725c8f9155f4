import SondeEngine
import SondeGateways
import SondeTestKit
import Testing

@Suite struct ControlSocketPathTests {
    private func standard(_ variables: [String: String], isRoot: Bool = false, writable: Bool = false) -> String? {
        ControlSocketPath.standard(
            ControlSocketPath.Surroundings(
                environment: FakeEnvironmentReader(variables),
                isRoot: isRoot,
                isWritableDirectory: { $0 == "/run/sonde" && writable }
            )
        )
    }

    @Test func theDirectoryOfTheUnitComesFirst() {
        let variables = ["RUNTIME_DIRECTORY": "/run/probe:/run/other", "XDG_RUNTIME_DIR": "/run/user/1"]
        #expect(standard(variables, isRoot: true, writable: true) == "/run/probe/sonde.sock")
    }

    @Test func rootUsesTheSystemsDirectory() {
        #expect(standard(["XDG_RUNTIME_DIR": "/run/user/0"], isRoot: true) == "/run/sonde/sonde.sock")
    }

    @Test func whoeverMayWriteToTheSystemsDirectoryUsesIt() {
        #expect(standard(["XDG_RUNTIME_DIR": "/run/user/1"], writable: true) == "/run/sonde/sonde.sock")
    }

    @Test func aPlainUserHasADirectoryOfTheirOwn() {
        #expect(standard(["XDG_RUNTIME_DIR": "/run/user/1"]) == "/run/user/1/sonde.sock")
    }

    @Test(arguments: [[:], ["XDG_RUNTIME_DIR": ""], ["XDG_RUNTIME_DIR": "relative"], ["RUNTIME_DIRECTORY": ":"]])
    func withoutADirectoryThereIsNoSocket(_ variables: [String: String]) {
        #expect(standard(variables) == nil)
    }

    @Test func aCommandLooksInAllPlaces() {
        let places = ControlSocketPath.candidates(FakeEnvironmentReader(["XDG_RUNTIME_DIR": "/run/user/1"]))
        #expect(places == ["/run/sonde/sonde.sock", "/run/user/1/sonde.sock"])
    }
}
