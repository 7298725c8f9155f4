import SondeDomain
import Testing

@testable import SondeGateways
@testable import SondePluginKit

struct PluginDescriptorJSONTests {
    private static let whole = PluginDescriptor(
        name: "whole",
        kind: .sink,
        version: "1.2.3",
        summary: "Says \"everything\" \\ once.\n\tÜber 🙂",
        stability: .experimental,
        needs: ["CAP_NET_RAW", "libpcap"],
        options: [
            OptionDefinition("url", .string, required: true, help: "Where to.", example: "https://example.net"),
            OptionDefinition("auth.bearer", .string, secret: true, help: "A token."),
            OptionDefinition("format", .choice(["json", "influx"]), default: "json", help: "How."),
            OptionDefinition("compress", .bool, default: "true", help: "Whether."),
            OptionDefinition("retries", .integer(Int64.min...Int64.max), default: "3", help: "How often."),
            OptionDefinition("ratio", .double(-1.5...1e300), help: "How much."),
            OptionDefinition(
                "timeout", .duration(.milliseconds(1)...Nanoseconds(.max)), default: "10s", help: "How long."),
            OptionDefinition("room", .size(512...(64 << 20)), default: "1MiB", help: "How large."),
            OptionDefinition("hosts", .list, help: "Which."),
            OptionDefinition("headers", .map, help: "With what.", example: "{ A: b }"),
            OptionDefinition(
                "targets",
                .entries([
                    OptionDefinition("host", .string, required: true, help: "Whom."),
                    OptionDefinition("port", .integer(1...65_535), default: "53", help: "Where."),
                    OptionDefinition("token", .string, secret: true, help: "With what."),
                    OptionDefinition("kind", .choice(["a", "b"]), help: "How."),
                ]), required: true, help: "Whom to ask.", example: "[{ host: a }]"),
        ],
        metrics: [
            MetricDefinition("a.b", .counter, unit: "By", attributes: ["x", "y"], meaning: "Bytes."),
            MetricDefinition("a.c", .upDown, unit: "", meaning: "Sockets."),
            MetricDefinition("a.d", .gauge, unit: "1", meaning: "A share."),
            MetricDefinition("a.e", .histogram, unit: "s", meaning: "Times."),
            MetricDefinition("a.f", .info, unit: "", meaning: "Words."),
        ],
        errors: [.init("SND-X001", meaning: "It failed.", recovery: "Try.")],
        delivery: .durable
    )

    @Test func readsWhatTheKitWrites() throws {
        #expect(try PluginDescriptor(json: Array(Self.whole.json.utf8)) == Self.whole)
    }

    @Test func whatAnOptionSavesIsReadAndAStepOfALaterVersionIsNone() throws {
        func saving(_ text: String) throws -> OptionDefinition.Saving? {
            let option = #"{"key":"top","type":"integer","help":"","saving":\#(text)}"#
            let json = #"{"name":"a","kind":"source","version":"1","summary":"S.","options":[\#(option)]}"#
            return try PluginDescriptor(json: Array(json.utf8)).options[0].saving
        }
        #expect(try saving(#"{"step":"names","value":"0"}"#) == .init(.names, "0"))
        #expect(try saving(#"{"step":"colours","value":"0"}"#) == nil)
        #expect(throws: DescriptionFlaw.self) { try saving(#"{"step":"names"}"#) }
        #expect(throws: DescriptionFlaw.self) { try saving(#""names""#) }
    }

    @Test func fillsInWhatMayBeLeftOut() throws {
        let text =
            #"{"name":"a","kind":"source","version":"1","summary":"S.","later":[{}],"# + #"""
                "options":[{"key":"n","type":"integer","help":""},{"key":"d","type":"duration","help":""},
                {"key":"r","type":"double","help":"","minimum":0}]}
                """#
        let descriptor = try PluginDescriptor(json: Array(text.utf8))
        #expect(descriptor.stability == .stable)
        #expect(descriptor.delivery == nil)
        #expect(
            descriptor.options.map(\.type) == [
                .integer(Int64.min...Int64.max), .duration(.zero...Nanoseconds(.max)),
                .double(0...Double.greatestFiniteMagnitude),
            ]
        )
    }

    @Test(arguments: [
        ("[]", "no object"),
        (#"{"kind":"source","version":"1","summary":"S"}"#, "name is missing"),
        (#"{"name":7,"kind":"source","version":"1","summary":"S"}"#, "name is no string"),
        (#"{"name":"a","kind":"filter","version":"1","summary":"S"}"#, "kind cannot be 'filter'"),
        (#"{"name":"a","kind":"source","version":"1","summary":""}"#, "summary is empty"),
        (#"{"name":"a","kind":"source","version":"1","summary":"S"} x"#, "at byte"),
    ])
    func refusesADescriptionThat(_ text: String, _ reason: String) {
        expectRefusal(text, reason)
    }

    @Test(arguments: [
        (#""delivery":"live""#, "delivery is for sinks"),
        (#""stability":"soon""#, "stability cannot be 'soon'"),
        (#""needs":"root""#, "needs is no array"),
        (#""needs":[1]"#, "needs[0] is no string"),
        (#""options":{}"#, "options is no array"),
        (#""options":[1]"#, "options[0] is no object"),
        (#""options":[{"key":"Bad","type":"string","help":""}]"#, "options[0].key 'Bad'"),
        (#""options":[{"key":"a..b","type":"string","help":""}]"#, "options[0].key 'a..b'"),
        (#""options":[{"key":"a","type":"text","help":""}]"#, "options[0].type is 'text'"),
        (#""options":[{"key":"a","type":"string"}]"#, "options[0].help is missing"),
        (#""options":[{"key":"a","type":"choice","help":""}]"#, "options[0].values"),
        (#""options":[{"key":"a","type":"string","help":"","secret":1}]"#, "options[0].secret"),
        (#""options":[{"key":"a","type":"integer","help":"","minimum":2,"maximum":1}]"#, "above the maximum"),
        (#""options":[{"key":"a","type":"size","help":"","maximum":-1}]"#, "above the maximum"),
        (#""options":[{"key":"a","type":"integer","help":"","minimum":0.5}]"#, "no 64-bit integer"),
        (#""options":[{"key":"a","type":"double","help":"","minimum":2,"maximum":1}]"#, "above the maximum"),
        (#""options":[{"key":"a","type":"list","help":""},{"key":"a","type":"map","help":""}]"#, "'a' is there twice"),
        (#""options":[{"key":"a","type":"entries","help":""}]"#, "options[0].members is missing"),
        (#""options":[{"key":"a","type":"entries","help":"","members":{}}]"#, "options[0].members is no array"),
        (
            #""options":[{"key":"a","type":"entries","help":"","members":[{"key":"b","type":"entries","help":""}]}]"#,
            "options[0].members[0].type is 'entries' within"
        ),
        (
            #""options":[{"key":"a","type":"entries","help":"","members":[{"key":"b.c","type":"bool","help":""}]}]"#,
            "options[0].members[0].key 'b.c' has a dot"
        ),
        (
            #""options":[{"key":"a","type":"entries","help":"","secret":true,"members":[{"key":"b","type":"bool","help":""}]}]"#,
            "options[0].type is 'entries'"
        ),
        (
            #""options":[{"key":"a","type":"entries","help":"","default":"[]","members":[{"key":"b","type":"bool","help":""}]}]"#,
            "options[0].type is 'entries'"
        ),
        (#""metrics":[{"name":"m","kind":"sum","meaning":""}]"#, "metrics[0].kind is 'sum'"),
        (#""metrics":[{"kind":"gauge","meaning":""}]"#, "metrics[0].name is missing"),
        (#""errors":[{"code":"","meaning":"","recovery":""}]"#, "errors[0].code is empty"),
    ])
    func refusesAMemberSuchAs(_ member: String, _ reason: String) {
        expectRefusal(#"{"name":"a","kind":"source","version":"1","summary":"S.",\#(member)}"#, reason)
    }

    @Test func refusesMoreThanItsBounds() {
        let option = { (index: Int) in #"{"key":"k\#(index)","type":"bool","help":""}"# }
        let metric = #"{"name":"m","kind":"gauge","meaning":""}"#
        let head = #"{"name":"a","kind":"source","version":"1","summary":"S.","#
        let members = (0...32).map(option).joined(separator: ",")
        expectRefusal(
            head + #""options":[{"key":"a","type":"entries","help":"","members":[\#(members)]}]}"#,
            "members has more than 32 items")
        let long = String(repeating: "k", count: 200)
        let member = #"{"key":"\#(long)","type":"bool","help":""}"#
        expectRefusal(
            head + #""options":[{"key":"\#(long)","type":"entries","help":"","members":[\#(member)]}]}"#,
            "paths of more than 255 bytes")
        let options = (0...512).map(option).joined(separator: ",")
        let metrics = [String](repeating: metric, count: 4_097).joined(separator: ",")
        expectRefusal(head + #""options":[\#(options)]}"#, "options has more than 512 items")
        expectRefusal(head + #""metrics":[\#(metrics)]}"#, "metrics has more than 4096 items")
        expectRefusal(head + #""version":"\#(String(repeating: "1", count: 4_097))"}"#, "more than 4096 bytes")
        expectRefusal(head + #""x":"\#(String(repeating: "1", count: 1 << 20))"}"#, "too large")
    }

    private func expectRefusal(_ text: String, _ reason: String) {
        do throws(DescriptionFlaw) {
            _ = try PluginDescriptor(json: Array(text.utf8))
            Issue.record("was taken")
        } catch {
            #expect(error.text.contains(reason), "\(error.text)")
        }
    }
}
