internal import SondeDomain
internal import SondeEngine

/// What `create` makes of options.
enum OptionRules {
    static func sample(_ subject: RuleSubject) throws(RuleEnd) {
        try subject.expecting("create") { () throws(SondeError) in _ = try subject.make() }
    }

    static func refused(_ subject: RuleSubject) throws(RuleEnd) {
        try checkHost(subject)
        for option in subject.descriptor.options {
            for value in edges(of: option) {
                var values = subject.options.values
                values[option.key] = value
                do throws(SondeError) {
                    _ = try subject.make(OptionValues(values))
                } catch {
                    try check(error, of: option.key, subject.descriptor)
                }
            }
        }
    }

    /// A refusal by `create` names the option at fault, which may be another one that does not go with it.
    private static func check(
        _ error: SondeError, of key: String, _ descriptor: PluginDescriptor
    ) throws(RuleEnd) {
        guard let path = error.optionPath else {
            throw .failed("create refuses a value of '\(key)' and names no option: \(error.shown)")
        }
        let first = path.prefix { $0 != "[" }
        // Also the members of a section, and those of a map.
        let isKnown = descriptor.options.contains {
            $0.key == first || $0.key.hasPrefix("\(first).") || path.hasPrefix("\($0.key).")
        }
        guard isKnown else {
            throw .failed("create refuses a value of '\(key)' and names the option '\(path)', which it has not")
        }
    }

    /// The description lets the agent refuse what is wrong, at its place.
    private static func checkHost(_ subject: RuleSubject) throws(RuleEnd) {
        let options = subject.descriptor.options
        try checkRefused("no_such_option", "1", options)
        for option in options {
            for text in wrongTexts(of: option) { try checkRefused(option.key, text, options) }
        }
    }

    private static func checkRefused(_ key: String, _ text: String, _ options: [OptionDefinition]) throws(RuleEnd) {
        // `tls.ca_file: x` is written as `tls: { ca_file: x }`.
        let parts = key.split(separator: ".")
        let yaml =
            parts.dropLast().map { "\($0): { " }.joined() + "\(parts.last ?? ""): \(text)"
            + String(repeating: " }", count: parts.count - 1)
        let source = SourceText(Array(yaml.utf8), file: "options")
        guard let root = try? YAMLDocument(source).root, case .mapping(let entries) = root.content else {
            throw .failed("'\(yaml)' is no YAML")
        }
        let reading = ConfigurationReading(resolver: nil)
        var reader = OptionReader(owner: "the plugin", at: root.mark, options, reading)
        reader.read(entries)
        // Beside it, required options are missing.
        let problem = reading.sortedProblems().first { $0.severity == .error && $0.code != .missingKey }
        guard let problem, problem.mark.line == 1, problem.mark.column >= 1 else {
            throw .failed("the agent takes '\(yaml)'")
        }
    }

    /// Values that no agent takes for this option.
    private static func wrongTexts(of option: OptionDefinition) -> [String] {
        switch option.type {
        case .string: ["{ a: 1 }", "[1]"]
        case .choice: ["no_such_word", "[1]"]
        case .bool: ["17", "[true]"]
        case .integer(let range): ["text", "1.5"] + below(range) + above(range)
        case .double(let range): ["text", "[1]"] + outside(range)
        case .duration(let range):
            ["text", "-1s"] + outside(range).map { DurationText.text(of: $0) }
        case .size(let range): ["text", "-1"] + below(range) + above(range)
        case .list: ["{ a: 1 }"]
        case .map: ["[1]"]
        case .entries(let members):
            ["text", "[1]"] + members.flatMap { member in wrongTexts(of: member).map { "[{ \(member.key): \($0) }]" } }
        }
    }

    private static func outside(_ range: ClosedRange<Nanoseconds>) -> [Nanoseconds] {
        let (low, high) = (range.lowerBound.value, range.upperBound.value)
        return (low > 0 ? [Nanoseconds(low - 1)] : []) + (high < .max ? [Nanoseconds(high + 1)] : [])
    }

    private static func outside(_ range: ClosedRange<Double>) -> [String] {
        let (low, high) = (range.lowerBound.nextDown, range.upperBound.nextUp)
        return [low, high].filter(\.isFinite).map { "\($0)" }
    }

    private static func below(_ range: ClosedRange<Int64>) -> [String] {
        range.lowerBound > .min ? ["\(range.lowerBound - 1)"] : []
    }

    private static func above(_ range: ClosedRange<Int64>) -> [String] {
        range.upperBound < .max ? ["\(range.upperBound + 1)"] : []
    }

    /// Values that the description allows and that a careless `create` does not expect.
    private static func edges(of option: OptionDefinition) -> [OptionValues.Value] {
        switch option.type {
        case .string:
            texts.map { option.isSecret ? .secret(Secret($0)) : .string($0) }
        case .choice(let words): words.map { .string($0) }
        case .bool: [.bool(false), .bool(true)]
        case .integer(let range): [.integer(range.lowerBound), .integer(range.upperBound)]
        case .double(let range): [.double(range.lowerBound), .double(range.upperBound)]
        case .duration(let range): [.duration(range.lowerBound), .duration(range.upperBound)]
        case .size(let range): [.size(range.lowerBound), .size(range.upperBound)]
        case .list: [.list([]), .list(texts), .list(["a", "a"])]
        case .map: [.map([]), .map(texts.map { Attribute($0, $0) })]
        case .entries: [.entries(0)]
        }
    }

    private static let texts = ["", "\u{1}\n\u{0}", "%s%n${HOME}", String(repeating: "x", count: 5_000)]
}
