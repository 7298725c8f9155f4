import CSondePlugin
import SondeDomain
import Testing

@testable import SondePluginKit

struct SharedTextsTests {
    private func copy(_ text: String, _ texts: inout SharedTexts) -> String {
        text.withContractString { texts.text($0) }
    }

    private func address(_ text: String) -> UnsafePointer<UInt8>? {
        text.utf8.withContiguousStorageIfAvailable(\.baseAddress) ?? nil
    }

    @Test func equalTextsAreOneInMemory() {
        var texts = SharedTexts()
        let first = copy("system.network.io", &texts)
        let other = copy("system.network.errors", &texts)
        let second = copy("system.network.io", &texts)
        #expect(first == "system.network.io")
        #expect(other == "system.network.errors")
        #expect(address(first) == address(second))
        #expect(address(first) != address(other))
        #expect(texts.count == 2)
    }

    @Test func aTextThatNeedsNoMemoryIsNotKept() {
        var texts = SharedTexts()
        #expect(copy("", &texts).isEmpty)
        #expect(copy("fifteen bytes..", &texts) == "fifteen bytes..")
        #expect(texts.count == 0)
        _ = copy("sixteen bytes...", &texts)
        #expect(texts.count == 1)
    }

    @Test func namesWithoutEndAreForgotten() {
        var texts = SharedTexts()
        for number in 0..<10_000 {
            let name = "a.metric.of.a.plugin.\(number)"
            #expect(copy(name, &texts) == name)
            #expect(texts.count <= 4_096)
        }
    }

    @Test func equalLabelsAreOneArrayUntilOthersFollow() {
        var texts = SharedTexts()
        func labels(_ value: String) -> [Attribute] {
            "site".withContractString { name in
                value.withContractString { value in
                    let size = UInt32(MemoryLayout<sonde_attribute>.size)
                    let record = sonde_attribute(struct_size: size, reserved: 0, name: name, value: value)
                    return withUnsafePointer(to: record) { texts.labels($0, count: 1) }
                }
            }
        }
        func place(_ labels: [Attribute]) -> UnsafePointer<Attribute>? { labels.withUnsafeBufferPointer(\.baseAddress) }
        let (first, second, other) = (labels("fra1"), labels("fra1"), labels("ams3"))
        #expect(first == [Attribute("site", "fra1")])
        #expect(other == [Attribute("site", "ams3")])
        #expect(place(first) == place(second))
    }
}
