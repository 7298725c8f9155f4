import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import SondePluginKit
@testable import SondeTestKit

@Suite struct OptionsTests {
    @Test func theEntriesOfAListOfMappingsAreOptionsThemselves() {
        let fake = FakeHost(options: [
            "targets": .entries([
                ["host": .string("a"), "port": .integer(1), "names": .list(["x", "y"])],
                ["host": .string("b"), "wait": .duration(.seconds(1)), "labels": .map([Attribute("k", "v")])],
            ]), "host": .string("other"),
        ])
        let targets = Options(fake.record).entries("targets")
        #expect(targets.map { $0.string("host") } == ["a", "b"])
        #expect(targets.map { $0.integer("port") } == [1, nil])
        #expect(targets[0].list("names") == ["x", "y"])
        #expect(targets[1].duration("wait") == .seconds(1))
        #expect(targets[1].map("labels").map(\.key) == ["k"])
        #expect(targets[1].path("host") == "targets[1].host")
        #expect(Options(fake.record).string("targets[1].host") == "b")
        #expect(Options(fake.record).list("targets") == [])
        #expect(Options(fake.record).path("host") == "host")
    }

    @Test func aListThatIsNotSetHasNoEntries() {
        let fake = FakeHost(options: ["text": .string("x"), "none": .entries([])])
        for key in ["targets", "text", "none"] { #expect(Options(fake.record).entries(key).isEmpty) }
    }
}
