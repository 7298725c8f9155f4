import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// Options are checked when the instance is made, before anything is touched.
@Suite struct FileConfigurationTests {
    @Test(arguments: [
        ("path", FakeHost.Option.string("")),
        ("path", .string("metrics.log")),
        ("path", .string("/var/log/")),
        ("path", .string("/var/log/..")),
        ("path", .string("/" + String(repeating: "n", count: 250))),
        ("path", .string("/" + String(repeating: "d/", count: 2_100) + "n")),
        ("path", .string("/var/log/a\0b")),
        ("path", .string("/dev/stdout")),
        ("path", .string("/proc/self/fd/1")),
        ("mode", .string("rw-r-----")),
        ("mode", .string("0888")),
        ("mode", .string("4640")),
        ("mode", .string("0440")),
        ("mode", .string("64")),
        ("mode", .string("")),
        ("format", .string("xml")),
        ("sync", .string("always")),
        ("rotate.size", .size(-1)),
        ("rotate.age", .duration(.seconds(-1))),
        ("rotate.keep", .integer(0)),
        ("rotate.keep", .integer(-1)),
        ("rotate.keep", .integer(.max)),
        ("rotate.compress", .string("zstd")),
    ])
    func anOptionThatCannotBeUsedIsNamed(_ key: String, _ value: FakeHost.Option) throws {
        let error = #expect(throws: PluginError.self) { try Bench([key: value]) }
        #expect(error?.code == "SND-FIL001")
        #expect(error?.failureClass == .configuration)
        #expect(error?.optionPath == key)
        #expect(error?.hint.isEmpty == false)
    }

    @Test func keepMayBeZeroWhenRotationIsOff() throws {
        let options: [String: FakeHost.Option] = ["rotate.size": .size(0), "rotate.keep": .integer(0)]
        let bench = try Bench.started(options)
        try bench.deliver(.of(1))
        #expect(bench.text == Batch.of(1).text())
    }

    @Test func makingAnInstanceTouchesNothing() throws {
        let bench = try Bench()
        #expect(bench.directory.names.isEmpty)
    }
}
