import SondeDomain
import SondeEngine
import Testing

@testable import SondeGateways

struct HostFunctionTests {
    @Test(arguments: Isolation.allCases) func handsOutOptionsOfEveryType(_ isolation: Isolation) throws {
        let workshop = try PluginWorkshop(isolation)
        let services = RecordingServices()
        let source = try workshop.source(
            "options",
            options: [
                "text": .string("grüße"),
                "auth.token": .secret(Secret("hush")),
                "flag": .bool(true),
                "count": .integer(.min),
                "ratio": .double(0.5),
                "wait": .duration(.seconds(90)),
                "room": .size(1 << 40),
                "hosts": .list(["a", "b"]),
                "headers": .map([Attribute("z", "1"), Attribute("a", "2")]),
                "targets": .entries(2), "targets[0].host": .string("c"), "targets[0].port": .integer(53),
                "targets[1].host": .string("d"), "targets[1].token": .secret(Secret("hush")),
            ],
            services: services
        )
        _ = try source.collect(.test())
        #expect(
            services.lines.map { String($0.dropFirst("info: ".count)) } == [
                "id under test", "text grüße (7)", "token ***", "flag 1", "count -9223372036854775808", "ratio 0.5",
                "wait 90000000000", "room 1099511627776", "host a", "host b", "header z=1", "header a=2",
                "target c port 53 token unset", "target d port unset token ***", "item of a mapping 0",
                "past the end 0", "unset 0", "other type 0",
            ]
        )
    }

    @Test(arguments: Isolation.allCases) func aSecretIsInNoFailureAndTheOptionsPlaceIsInEach(_ isolation: Isolation)
        throws
    {
        let workshop = try PluginWorkshop(isolation)
        let mark = SourceMark(file: "sonde.yaml", line: 7, column: 5)
        let marks = ["mode": SourceMark(file: "sonde.yaml", line: 9, column: 9), "": mark]
        try workshop.compile("failing")
        let source = try workshop.catalog().plugin(named: "failing").makeSource(
            id: "probe",
            options: OptionValues(
                ["mode": .string("full"), "token": .secret(Secret("told to"))], marks: marks),
            services: RecordingServices())
        let error = #expect(throws: SondeError.self) { try source.collect(.test()) }
        #expect(error?.message == "*** wait")
        #expect(error?.optionPath == "hosts[2]")
        #expect(error?.place == mark)
    }

    @Test(arguments: Isolation.allCases) func survivesGarbageAndSaysOnceWhatWasWrong(_ isolation: Isolation) throws {
        let workshop = try PluginWorkshop(isolation)
        let services = RecordingServices()
        let source = try workshop.source("garbage", services: services)
        _ = try source.collect(.test())
        let reports = services.lines.filter { $0.hasPrefix("error: SND-PLG022: the plugin ") }
        #expect(services.lines.last == "info: survived")
        #expect(!services.lines.contains { $0.contains("was opened") || $0.contains("was taken") })
        for part in [
            "kind 77", "counter_bits 7", "'a' twice", "an impossible struct_size", "series of NULL", "loss of NULL",
        ] {
            #expect(reports.contains { $0.contains(part) }, "\(part)")
        }
        #expect(Set(reports).count == reports.count)
        #expect(services.lines.contains("warning: " + String(repeating: "l", count: 8 << 10)))
        #expect(services.series.isEmpty)
        #expect(services.losses.isEmpty)
        _ = try source.collect(.test())
        #expect(services.lines.filter { $0.hasPrefix("error: ") } == reports)
    }
}
