import SondeDomain

/// How a value of the agent maps to one of a configuration.
struct OptionForm<Value: Sendable>: Sendable {
    let type: OptionDefinition.ValueType
    let wrap: @Sendable (Value) -> OptionValues.Value
    /// Nil when it does not fit.
    let unwrap: @Sendable (OptionValues.Value) -> Value?
}

extension OptionForm<String> {
    static var text: Self {
        Self(type: .string, wrap: { .string($0) }, unwrap: { if case .string(let text) = $0 { text } else { nil } })
    }
}

extension OptionForm<Secret> {
    static var secret: Self {
        Self(type: .string, wrap: { .secret($0) }, unwrap: { if case .secret(let text) = $0 { text } else { nil } })
    }
}

extension OptionForm<Nanoseconds> {
    static func duration(_ range: ClosedRange<Nanoseconds>) -> Self {
        Self(
            type: .duration(range), wrap: { .duration($0) },
            unwrap: { if case .duration(let span) = $0 { span } else { nil } })
    }
}

extension OptionForm<Int64> {
    static func size(_ range: ClosedRange<Int64>) -> Self {
        Self(
            type: .size(range), wrap: { .size($0) }, unwrap: { if case .size(let bytes) = $0 { bytes } else { nil } })
    }
}

extension OptionForm<Int> {
    static func count(_ range: ClosedRange<Int64>) -> Self {
        Self(
            type: .integer(range), wrap: { .integer(Int64($0)) },
            unwrap: { if case .integer(let count) = $0 { Int(exactly: count) } else { nil } })
    }
}

extension OptionForm<Double> {
    static func number(_ range: ClosedRange<Double>) -> Self {
        Self(
            type: .double(range), wrap: { .double($0) },
            unwrap: { if case .double(let number) = $0 { number } else { nil } })
    }
}

extension OptionForm<[String]> {
    static var list: Self {
        Self(type: .list, wrap: { .list($0) }, unwrap: { if case .list(let texts) = $0 { texts } else { nil } })
    }
}

extension OptionForm<[Attribute]> {
    static var map: Self {
        Self(type: .map, wrap: { .map($0) }, unwrap: { if case .map(let pairs) = $0 { pairs } else { nil } })
    }
}

extension OptionForm<SendContent> {
    static var content: Self {
        let words = ConfigurationSchema.sendWords
        return Self(
            type: .list, wrap: { content in .list(words.filter { content.contains($0.content) }.map(\.word)) },
            unwrap: { value in
                guard case .list(let texts) = value else { return nil }
                return words.reduce(into: []) { if texts.contains($1.word) { $0.formUnion($1.content) } }
            })
    }
}

extension OptionForm where Value: CaseIterable {
    /// One of all cases, by the word for each.
    static func choice(_ word: @escaping @Sendable (Value) -> String) -> Self {
        Self(
            type: .choice(Value.allCases.map(word)), wrap: { .string(word($0)) },
            unwrap: { value in Value.allCases.first { .string(word($0)) == value } })
    }
}

extension OptionForm where Value: CaseIterable & RawRepresentable<String> {
    static var choice: Self { choice(\.rawValue) }
}
