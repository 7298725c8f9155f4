public import SondeDomain

/// One key of a section: what it may be, where it is kept, and what follows when it changes.
///
/// Schema, reading, comparison and `config show` are made of it.
public struct ConfigurationOption<Owner: Sendable>: Sendable {
    /// What a reload makes of another value.
    public enum Reload: Hashable, Sendable {
        /// It holds at once.
        case live
        /// It holds for the life of the process.
        case fixed
        /// The sources and sinks that it concerns are changed.
        case byInstance
    }

    /// The key, its type, range and default, and what it is for.
    public let definition: OptionDefinition
    /// What a reload makes of another value.
    public let reload: Reload
    /// What holds where nothing sets it, in words; nil: its default.
    public let unset: String?
    /// Its value; nil: nothing sets it, and it has no default.
    public let value: @Sendable (Owner) -> OptionValues.Value?
    /// Sets it to a value that fits the definition.
    public let set: @Sendable (inout Owner, OptionValues.Value) -> Void

    init(
        _ definition: OptionDefinition,
        _ reload: Reload,
        unset: String? = nil,
        value: @escaping @Sendable (Owner) -> OptionValues.Value?,
        set: @escaping @Sendable (inout Owner, OptionValues.Value) -> Void
    ) {
        self.definition = definition
        self.reload = reload
        self.unset = unset
        self.value = value
        self.set = set
    }

    /// Whether both have the same value; of labels the order means nothing.
    func isSame(_ one: Owner, _ other: Owner) -> Bool {
        if case (.map(let left), .map(let right)) = (value(one), value(other)) { return Set(left) == Set(right) }
        return value(one) == value(other)
    }
}

extension ConfigurationOption {
    typealias Path<Value> = WritableKeyPath<Owner, Value> & Sendable

    static func duration(
        _ key: String,
        _ path: any Path<Nanoseconds>,
        _ range: ClosedRange<Nanoseconds>,
        of owner: Owner,
        _ reload: Reload,
        help: String
    ) -> Self {
        let text = DurationText.text(of: owner[keyPath: path])
        return Self(
            OptionDefinition(key, .duration(range), default: text, help: help), reload,
            value: { .duration($0[keyPath: path]) },
            set: { if case .duration(let span) = $1 { $0[keyPath: path] = span } })
    }

    static func size(
        _ key: String,
        _ path: any Path<Int64>,
        _ range: ClosedRange<Int64>,
        of owner: Owner,
        _ reload: Reload,
        help: String
    ) -> Self {
        let text = SizeText.text(of: owner[keyPath: path])
        return Self(
            OptionDefinition(key, .size(range), default: text, help: help), reload,
            value: { .size($0[keyPath: path]) }, set: { if case .size(let bytes) = $1 { $0[keyPath: path] = bytes } })
    }

    static func size(
        _ key: String,
        _ path: any Path<Int64?>,
        _ range: ClosedRange<Int64>,
        _ reload: Reload,
        unset: String,
        help: String
    ) -> Self {
        Self(
            OptionDefinition(key, .size(range), help: "\(help) \(unset) when not set."), reload, unset: unset,
            value: { $0[keyPath: path].map { .size($0) } },
            set: { if case .size(let bytes) = $1 { $0[keyPath: path] = bytes } })
    }

    static func choice<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ key: String,
        _ path: any Path<Word>,
        of owner: Owner,
        _ reload: Reload,
        help: String
    ) -> Self {
        let definition = OptionDefinition(
            key, .choice(Word.allCases.map(\.rawValue)), default: owner[keyPath: path].rawValue, help: help)
        return Self(
            definition, reload, value: { .string($0[keyPath: path].rawValue) },
            set: { owner, value in
                guard case .string(let text) = value, let word = Word(rawValue: text) else { return }
                owner[keyPath: path] = word
            })
    }

    static func text(
        _ key: String,
        _ path: any Path<String?>,
        _ reload: Reload,
        unset: String,
        help: String,
        example: String? = nil
    ) -> Self {
        Self(
            OptionDefinition(key, .string, help: help, example: example), reload, unset: unset,
            value: { $0[keyPath: path].map { .string($0) } },
            set: { if case .string(let text) = $1 { $0[keyPath: path] = text } })
    }

    static func list(_ key: String, _ path: any Path<[String]>, _ reload: Reload, help: String, example: String? = nil)
        -> Self
    {
        Self(
            OptionDefinition(key, .list, help: help, example: example), reload,
            value: { .list($0[keyPath: path]) }, set: { if case .list(let texts) = $1 { $0[keyPath: path] = texts } })
    }
}
