import SondeDomain
import SondePresentation
import Testing

@Suite struct PluginDescriptionViewTests {
    private static func types(_ options: [OptionDefinition]) -> [[String]] {
        let descriptor = PluginDescriptor(
            name: "p", kind: .source, version: "1", summary: "S.", options: options)
        return PluginDescriptionState(descriptor, path: "/p.so").options.map { [$0.key, $0.type, $0.fallback] }
    }

    @Test func aListOfMappingsStandsWithItsMembers() {
        let options = [
            OptionDefinition(
                "targets",
                .entries([
                    OptionDefinition("host", .string, required: true, help: "Whom."),
                    OptionDefinition("port", .integer(1...65_535), default: "53", help: "Where."),
                    OptionDefinition("token", .string, secret: true, help: "With what."),
                ]), help: "Whom to ask.")
        ]
        #expect(
            Self.types(options) == [
                ["targets", "list of maps", ""], ["targets[].host", "string", "required"],
                ["targets[].port", "integer 1 to 65535", "53"], ["targets[].token", "string, secret", ""],
            ])
    }

    @Test(arguments: [
        (OptionDefinition.ValueType.duration(.milliseconds(100)...(.seconds(86_400))), "duration 100ms to 1d"),
        (.duration(.zero...Nanoseconds(.max)), "duration"), (.size(512...Int64.max), "size from 512"),
        (.size(0...(1 << 20)), "size 0 to 1MiB"), (.integer(.min ... .max), "integer"),
        (.integer(.min...5), "integer up to 5"), (.double(0...0.5), "number 0.0 to 0.5"), (.bool, "true | false"),
        (.double(-Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude), "number"),
        (.choice(["a", "b"]), "a | b"), (.list, "list"), (.map, "map"),
    ])
    func aTypeIsShownWithItsRange(_ type: OptionDefinition.ValueType, _ words: String) {
        #expect(Self.types([OptionDefinition("k", type, help: "")]) == [["k", words, ""]])
    }
}
