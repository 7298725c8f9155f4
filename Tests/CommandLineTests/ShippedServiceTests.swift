import Foundation
import Testing

/// What the package installs, held to the programs and plugins as they are built.
@Suite struct ShippedServiceTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let buildFolder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    private func sonde(_ arguments: [String]) throws -> (text: String, status: Int32) {
        let process = Process()
        let output = Pipe()
        process.executableURL = Self.buildFolder.appending(path: "sonde")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text, process.terminationStatus)
    }

    @Test func theConfigurationOfThePackageHasNoMistake() throws {
        let file = Self.root.appending(path: "packaging/sonde.yaml").path
        let result = try sonde(["check", "-c", file, "--plugin-dir", Self.buildFolder.path])
        #expect(result.status == 0, "\(result.text)")
    }

    @Test func theConfigurationOfThePackageSendsNothingAway() throws {
        let file = Self.root.appending(path: "packaging/sonde.yaml").path
        let result = try sonde(["config", "show", "-c", file, "--plugin-dir", Self.buildFolder.path])
        let plugins = result.text.matches(of: /plugin: (\w+)/).map { String($0.1) }
        #expect(plugins == ["procnet", "file"])
    }

    @Test func theUnitStartsTheConfigurationThatThePackageInstalls() throws {
        let unit = try String(contentsOf: Self.root.appending(path: "packaging/sonde.service"), encoding: .utf8)
        let path = Self.root.appending(path: "packaging/debian/sonde/conffiles")
        let conffiles = try String(contentsOf: path, encoding: .utf8)
        #expect(conffiles == "/etc/sonde/conf.d/README\n/etc/sonde/sonde.yaml\n")
        #expect(unit.contains("ExecStart=/usr/bin/sonde run -c /etc/sonde/sonde.yaml\n"))
        #expect(unit.contains("ExecReload=/usr/bin/sonde reload -c /etc/sonde/sonde.yaml\n"))
        // notify-reload came with systemd 253; Debian 12 has 252.
        #expect(unit.contains("Type=notify\n"))
    }

    @Test func theUnitLetsTheAgentGiveItsSocketToAGroupAndAskForTheClock() throws {
        let unit = try String(contentsOf: Self.root.appending(path: "packaging/sonde.service"), encoding: .utf8)
        let filters = unit.matches(of: /(?m)^SystemCallFilter=(.*)$/).map { String($0.1) }
        // Each line adds to or takes from those before it: @privileged includes @chown, capset, with which the process of pcap
        // gives up what it has, and the calls that ask whether the clock is kept by a daemon, which ProtectClock= would refuse.
        #expect(
            filters == [
                "@system-service", "~@privileged @resources",
                "capset landlock_create_ruleset landlock_add_rule landlock_restrict_self", "@chown",
                "adjtimex clock_adjtime",
            ])
        #expect(!unit.contains("\nProtectClock="))
        #expect(unit.contains("\nRuntimeDirectoryMode=0755\n"), "members of the group reach the socket")
    }

    @Test func theVersionIsOneThatAPackageCanCarry() throws {
        let result = try sonde(["version"])
        #expect(result.status == 0)
        #expect(result.text.prefixMatch(of: /sonde \d+\.\d+\.\d+/) != nil)
    }
}
