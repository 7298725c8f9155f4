internal import SondeDomain

/// One rule that `sonde plugins test` holds a program to; its raw value is its stable name.
public enum ProgramRule: String, CaseIterable, TestRule {
    case program
    // Its life.
    case works
    case startsAgain = "starts-again"
    case twoAtOnce = "two-at-once"
    case ends
    case silentAfterStop = "silent-after-stop"
    case leavesNothing = "leaves-nothing"
    case noLeak = "no-leak"
    // What it prints.
    case output
    case metricNames = "metric-names"
    case metricUnits = "metric-units"
    case times
    case seriesOnce = "series-once"
    case counters
    // What it is sent.
    case errorsTyped = "errors-typed"
    case checkpoint
    case newerAgent = "newer-agent"
    // Sinks.
    case oneAnswer = "one-answer"
    case everyValue = "every-value"
    case hostileLabels = "hostile-labels"
    case sameBatchTwice = "same-batch-twice"

    /// The programs that a rule is for.
    public enum Scope: String, Sendable {
        case every = "every program"
        case kept = "kept running"
        case asked = "`format: sonde`, sink"
        case askedAndKept = "`format: sonde` kept running, sink"
        case source
        case namedSource = "source with `format: json` or `sonde`"
        case conversingSource = "source with `format: sonde`"
        case conversingStream = "source with `format: sonde` kept running"
        case sink
    }

    /// The programs that it is for.
    public var scope: Scope {
        switch self {
        case .program, .works, .startsAgain, .twoAtOnce: .every
        case .noLeak: .kept
        case .newerAgent: .asked
        case .ends: .askedAndKept
        case .leavesNothing, .output, .times, .seriesOnce, .counters: .source
        case .metricNames, .metricUnits: .namedSource
        case .errorsTyped, .checkpoint: .conversingSource
        case .silentAfterStop: .conversingStream
        case .oneAnswer, .everyValue, .hostileLabels, .sameBatchTwice: .sink
        }
    }

    /// Whether it is for programs of a form.
    public func applies(to form: ProgramForm) -> Bool {
        let isSink = form.kind == .sink
        return switch scope {
        case .every: true
        case .kept: form.isKept
        case .asked: isSink || form.isConversing
        case .askedAndKept: isSink || form.isConversing && form.isKept
        case .source: !isSink
        case .namedSource: !isSink && form.isNamed
        case .conversingSource: !isSink && form.isConversing
        case .conversingStream: !isSink && form.isConversing && form.isKept
        case .sink: isSink
        }
    }

    /// The rule without which it means nothing; nil: it can always be checked.
    public var prerequisite: ProgramRule? {
        switch self {
        case .program: nil
        case .works: .program
        case .silentAfterStop, .leavesNothing: .ends
        default: .works
        }
    }

    /// Whether nothing is shown of a plugin that was not seen to keep it.
    public var isEssential: Bool { self == .works }
}
