public import SondeDomain

/// One rule that `sonde plugins test` holds a plugin to; its raw value is its stable name.
public enum PluginRule: String, CaseIterable, TestRule {
    // What it says of itself.
    case description
    case descriptionStable = "description-stable"
    case optionsDescribed = "options-described"
    case metricNames = "metric-names"
    case metricUnits = "metric-units"
    case errorsDeclared = "errors-declared"
    // Its options.
    case sample
    case optionsRefused = "options-refused"
    // Its life.
    case works
    case createDestroy = "create-destroy"
    case startTwice = "start-twice"
    case startAfterFailure = "start-after-failure"
    case twoInstances = "two-instances"
    // Its end.
    case cancel
    case silentAfterStop = "silent-after-stop"
    // Its failures and its use of the host.
    case errorsTyped = "errors-typed"
    case noLeak = "no-leak"
    case lateDeadline = "late-deadline"
    case olderHost = "older-host"
    case confinement
    // Sources.
    case busy
    case stopping
    case refusedSeries = "refused-series"
    case values
    case seriesDescribed = "series-described"
    case seriesOnce = "series-once"
    case counters
    // Sinks.
    case emptyBatch = "empty-batch"
    case everyValue = "every-value"
    case hostileLabels = "hostile-labels"
    case sameBatchTwice = "same-batch-twice"
    case unreachable

    /// The kind of plugin that it is for; nil: both.
    public var kind: PluginDescriptor.Kind? {
        switch self {
        case .busy, .stopping, .refusedSeries, .values, .seriesDescribed, .seriesOnce, .counters: .source
        case .emptyBatch, .everyValue, .hostileLabels, .sameBatchTwice, .unreachable: .sink
        default: nil
        }
    }

    /// Whether it is for a plugin.
    public func applies(to plugin: any LoadedPlugin) -> Bool {
        guard self != .confinement || plugin.sandbox != nil else { return false }
        return kind == nil || kind == plugin.descriptor.kind
    }

    /// The rule without which it means nothing; nil: it can always be checked.
    public var prerequisite: PluginRule? {
        switch self {
        case .description: nil
        case .descriptionStable, .optionsDescribed, .metricNames, .metricUnits, .errorsDeclared, .sample: .description
        case .optionsRefused, .works, .createDestroy: .sample
        default: .works
        }
    }

    /// How long it may take before its process is ended.
    public var limit: Nanoseconds { self == .noLeak ? .seconds(120) : .seconds(60) }

    /// Whether nothing is shown of a plugin that was not seen to keep it.
    public var isEssential: Bool { self == .works }
}
