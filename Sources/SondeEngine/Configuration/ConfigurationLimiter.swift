public import SondeDomain
internal import Synchronization

/// Makes of the configuration the one that is in force at a level of saving.
///
/// May be called from any thread.
public final class ConfigurationLimiter: Sendable {
    /// The option with which a source keeps its work within so many percent of one processor.
    static let budgetKey = "cpu_budget"
    // What a stream may use of the limit, at the last level all together: with all else it is less than takes a level.
    private static let streamShare = 0.7
    private static let longestInterval = Nanoseconds.seconds(60)
    // What is read whole at each collection, all interfaces for one, costs as much less as it is read less often.
    private static let slower: Int64 = 10

    private let processors: Double?
    private let value: @Sendable (String, OptionDefinition) -> OptionValues.Value?
    private let state = Mutex((level: 0, ladder: [Int]()))

    /// A limiter at level 0; `value` reads a value as it would be written in YAML.
    public init(
        _ limits: ResourceLimits,
        value: @escaping @Sendable (String, OptionDefinition) -> OptionValues.Value?
    ) {
        processors = limits.processors
        self.value = value
    }

    /// The level in force; another one is in force once a configuration was limited to it.
    public var level: Int {
        get { state.withLock { $0.level } }
        set { state.withLock { $0.level = newValue } }
    }

    /// The levels that make a difference to the configuration in force.
    public var ladder: [Int] { state.withLock { $0.ladder } }

    /// The configuration at the level in force; `descriptor` has the descriptor of a source's plugin.
    public func limited(
        _ configuration: AgentConfiguration,
        _ descriptor: (SourceConfiguration) -> PluginDescriptor?
    ) -> AgentConfiguration {
        var result = configuration
        result.sources = sources(of: configuration, descriptor)(level)
        return result
    }

    /// Makes ``ladder`` that of a configuration as it was read, which is in force from now on.
    public func noteInForce(
        _ configuration: AgentConfiguration,
        _ descriptor: (SourceConfiguration) -> PluginDescriptor?
    ) {
        let all = sources(of: configuration, descriptor)
        let ladder = SavingStep.allCases.map(\.level).filter { level in
            zip(all(level - 1), all(level)).contains { !$0.isSame(as: $1) }
        }
        state.withLock { $0.ladder = ladder }
    }

    /// The sources at each level.
    private func sources(
        of configuration: AgentConfiguration,
        _ descriptor: (SourceConfiguration) -> PluginDescriptor?
    ) -> (Int) -> [SourceConfiguration] {
        let sources = configuration.sources.map { ($0, options(of: descriptor($0))) }
        // Those that could use a whole processor.
        let budgets = sources.count { source, options in
            options.contains(where: Self.isBudget) && source.options.values[Self.budgetKey] == nil
        }
        return { level in sources.map { self.limited($0.0, $0.1, at: level, budgets: budgets) } }
    }

    private func options(of descriptor: PluginDescriptor?) -> [OptionDefinition] {
        descriptor?.options.filter { $0.saving != nil || Self.isBudget($0) } ?? []
    }

    private static func isBudget(_ option: OptionDefinition) -> Bool {
        guard option.key == budgetKey, case .double = option.type else { return false }
        return true
    }

    private func limited(
        _ source: SourceConfiguration, _ options: [OptionDefinition], at level: Int, budgets: Int
    ) -> SourceConfiguration {
        var source = source
        var values = source.options.values
        for option in options {
            if let saving = option.saving, saving.step.level <= level, let cheap = value(saving.valueText, option) {
                values[option.key] = option.cheaper(values[option.key], cheap)
            }
            if Self.isBudget(option) {
                values[option.key] = budget(values[option.key], option, at: level, budgets: budgets)
            }
        }
        source.options = OptionValues(
            values, marks: source.options.marks, references: source.options.references)
        if level >= SavingStep.extended.level {
            source.level = min(source.level, .core)
            source.collected = .core
        }
        if level >= SavingStep.interval.level, source.interval < Self.longestInterval {
            source.interval = min(source.interval * Self.slower, Self.longestInterval)
        }
        return source
    }

    /// What a source may use at a level, in percent of one processor.
    private func budget(
        _ configured: OptionValues.Value?, _ option: OptionDefinition, at level: Int, budgets: Int
    ) -> OptionValues.Value? {
        guard let processors, case .double(let range) = option.type else { return configured }
        let isLast = level >= SavingStep.interval.level
        let share = Self.streamShare / Double(isLast ? max(1, budgets) : 1)
        let percent = min(max(processors * 100 * share, range.lowerBound), range.upperBound)
        return option.cheaper(configured, .double(percent))
    }
}

extension OptionDefinition {
    /// The one of two values that costs less.
    fileprivate func cheaper(_ one: OptionValues.Value?, _ other: OptionValues.Value) -> OptionValues.Value {
        switch (one, other) {
        case (.bool(false)?, .bool): .bool(false)
        case (.integer(let one)?, .integer(let other)): .integer(min(one, other))
        case (.double(let one)?, .double(let other)): .double(min(one, other))
        case (.size(let one)?, .size(let other)): .size(min(one, other))
        case (.string(let one)?, .string(let other)): .string(earlier(one, other))
        default: other
        }
    }

    /// The word of a choice that comes first.
    private func earlier(_ one: String, _ other: String) -> String {
        guard case .choice(let words) = type, let place = words.firstIndex(of: one),
            let cheap = words.firstIndex(of: other)
        else { return other }
        return place < cheap ? one : other
    }
}

extension SourceConfiguration {
    /// Whether it collects the same at the same cost.
    fileprivate func isSame(as other: SourceConfiguration) -> Bool {
        options.values == other.options.values && collected == other.collected && differences(from: other).isEmpty
    }
}
