public import SondeDomain

/// One key of a section: what it may be, where it is kept, and what follows when it changes.
///
/// Schema, reading, comparison, `config show` and the page are made of it.
public struct ConfigurationOption<Owner: Sendable>: Sendable {
    /// What a reload does when the value changes.
    public enum Reload: Hashable, Sendable {
        /// It takes effect at once.
        case live
        /// It takes effect at the next start.
        case fixed
        /// The sources and sinks that use it are reconfigured.
        case byInstance
    }

    /// The value where nothing sets it.
    public enum Unset: Hashable, Sendable {
        /// Its default; for a list or map: empty.
        case standard
        /// The agent's value.
        case inherited
        /// It has no value; what happens then, in words.
        case words(String)
    }

    typealias Path<Value> = WritableKeyPath<Owner, Value> & Sendable

    /// The key, its type, range and default, and what it is for.
    public let definition: OptionDefinition
    /// What a reload does when the value changes.
    public let reload: Reload
    /// The value where nothing sets it.
    public let unset: Unset
    /// Its value; nil: nothing sets it, and it has no default.
    public let value: @Sendable (Owner) -> OptionValues.Value?
    /// Sets it to a value that fits the definition.
    public let set: @Sendable (inout Owner, OptionValues.Value) -> Void

    /// A key that always has a value: where nothing sets it, that of `standard`, or the agent's when that is nil.
    init<Value>(
        _ key: String,
        _ path: any Path<Value>,
        _ form: OptionForm<Value>,
        of standard: Owner?,
        _ reload: Reload = .byInstance,
        help: String,
        example: String? = nil
    ) {
        let fallback = standard.flatMap { form.wrap($0[keyPath: path]).defaultText }
        definition = OptionDefinition(key, form.type, default: fallback, help: help, example: example)
        self.reload = reload
        unset = standard == nil ? .inherited : .standard
        value = { form.wrap($0[keyPath: path]) }
        set = { if let value = form.unwrap($1) { $0[keyPath: path] = value } }
    }

    /// A key that has no value where nothing sets it; `unset` describes what happens then.
    init<Value>(
        _ key: String,
        _ path: any Path<Value?>,
        _ form: OptionForm<Value>,
        _ reload: Reload = .byInstance,
        unset: String,
        help: String,
        example: String? = nil
    ) {
        definition = OptionDefinition(key, form.type, secret: Value.self == Secret.self, help: help, example: example)
        self.reload = reload
        self.unset = .words(unset)
        value = { $0[keyPath: path].map(form.wrap) }
        set = { if let value = form.unwrap($1) { $0[keyPath: path] = value } }
    }

    /// Whether both have the same value; the order of labels is ignored.
    func isSame(_ one: Owner, _ other: Owner) -> Bool {
        if case (.map(let left), .map(let right)) = (value(one), value(other)) { return Set(left) == Set(right) }
        return value(one) == value(other)
    }
}

extension OptionValues.Value {
    /// A single value as it would be written; nil: it has no such form.
    fileprivate var defaultText: String? {
        switch self {
        case .string(let text): text
        case .bool(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .duration(let span): DurationText.text(of: span)
        case .size(let bytes): SizeText.text(of: bytes)
        case .secret, .list, .map, .entries: nil
        }
    }
}
