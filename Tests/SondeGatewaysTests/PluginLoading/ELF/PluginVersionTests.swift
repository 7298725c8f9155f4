import Testing

@testable import SondeGateways

struct PluginVersionTests {
    private func record(size: UInt8 = 64, major: UInt8 = 1, runtime: String = "", length: Int = 64) -> [UInt8] {
        var bytes: [UInt8] = [size, 0, 0, 0, major, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]
        bytes += Array(runtime.utf8)
        return bytes + [UInt8](repeating: 0, count: length - bytes.count)
    }

    private func check(_ content: [UInt8]) throws(PluginVersion.Flaw) {
        try PluginVersion(content).check(hostMajor: 1, hostRuntime: "swift-6.3.1")
    }

    @Test func acceptsSelfContainedObjectsAndTheHostsRuntime() throws {
        try check(record())
        try check(record(runtime: "swift-6.3.1"))
    }

    @Test func acceptsALaterMinorVersionWithALongerRecord() throws {
        try check(record(size: 80, length: 80))
        #expect(try PluginVersion(record()).minor == 7)
    }

    @Test func refusesAnotherMajorVersionBeforeItReadsTheRest() {
        #expect(throws: PluginVersion.Flaw.unknownMajor(2)) { try check(record(major: 2, runtime: "\u{1}")) }
    }

    @Test func refusesAnotherRuntime() {
        #expect(throws: PluginVersion.Flaw.otherRuntime("swift-6.3.10")) { try check(record(runtime: "swift-6.3.10")) }
    }

    @Test(arguments: [[], [64], [0, 0, 0, 0], [63, 0, 0, 0], [255, 255, 255, 255]] as [[UInt8]])
    func refusesARecordOfImpossibleSize(_ start: [UInt8]) {
        #expect(throws: PluginVersion.Flaw.self) { try check(start + [UInt8](repeating: 0, count: 60)) }
        #expect(throws: PluginVersion.Flaw.self) { try check(start) }
    }

    @Test func refusesARuntimeThatIsNoText() {
        #expect(throws: PluginVersion.Flaw.self) { try check(record(runtime: "swift\u{7}")) }
        #expect(throws: PluginVersion.Flaw.self) { try check(record(runtime: "a\0b")) }
    }

    @Test func refusesMoreThanOneRecord() throws {
        #expect(throws: PluginVersion.Flaw.self) { try check(record() + record()) }
        #expect(throws: PluginVersion.Flaw.self) { try check(record() + record(runtime: "swift-6.3.1")) }
        #expect(throws: PluginVersion.Flaw.self) { try check(record() + record().dropLast()) }
    }
}
