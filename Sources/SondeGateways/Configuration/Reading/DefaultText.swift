public import SondeDomain
public import SondeEngine

/// The default of an option or another value of a description, which is written as YAML.
public enum DefaultText {
    /// The value; nil when it does not fit the option.
    public static func value(of text: String, _ definition: OptionDefinition) -> OptionValues.Value? {
        if case .string = definition.type, text.isEmpty { return .string("") }
        let source = SourceText(Array(text.utf8), file: "default")
        guard source.defect() == nil, let document = try? YAMLDocument(source), let root = document.root else {
            return nil
        }
        let reading = ConfigurationReading(resolver: nil)
        let entry = YAMLEntry(key: definition.key, keyMark: root.mark, value: root)
        let read = ValueReader(reading: reading, definition: definition).read(entry)
        return reading.isClean ? read?.value : nil
    }

    /// Every default of `definitions`; one that does not fit its option is left out.
    static func values(of definitions: [OptionDefinition]) -> OptionValues {
        var values: [String: OptionValues.Value] = [:]
        for definition in definitions {
            values[definition.key] = definition.defaultText.flatMap { value(of: $0, definition) }
        }
        return OptionValues(values)
    }
}

extension OptionValues {
    /// The same with a default wherever there is no value, as plugins expect them; nil where an option is missing that
    /// is required.
    public func completed(by definitions: [OptionDefinition]) -> OptionValues? {
        var values = values
        for definition in definitions where values[definition.key] == nil {
            guard !definition.isRequired else { return nil }
            values[definition.key] = definition.defaultText.flatMap { DefaultText.value(of: $0, definition) }
        }
        return OptionValues(values, marks: marks, references: references)
    }
}
