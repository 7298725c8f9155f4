internal import SondeEngine

extension ProgramRule {
    /// Checks a program; returns when it keeps the rule.
    func check(_ subject: ProgramSubject) throws(RuleEnd) {
        switch self {
        // That there is a subject shows it.
        case .program: return
        case .works: try ProgramLifeRules.works(subject)
        case .startsAgain: try ProgramLifeRules.startsAgain(subject)
        case .twoAtOnce: try ProgramLifeRules.twoAtOnce(subject)
        case .ends: try ProgramEndRules.ends(subject)
        case .silentAfterStop: try ProgramEndRules.silent(subject)
        case .leavesNothing: try ProgramEndRules.leavesNothing(subject)
        case .noLeak: try ProgramLeakRule.check(subject)
        case .output: try ProgramOutputRules.output(subject)
        case .metricNames: try MetricRules.names(ProgramOutputRules.metrics(subject))
        case .metricUnits: try MetricRules.units(ProgramOutputRules.metrics(subject))
        case .times: try ProgramOutputRules.times(subject)
        case .seriesOnce: try ProgramOutputRules.once(subject)
        case .counters: try ProgramOutputRules.counters(subject)
        case .errorsTyped: try ProgramMessageRules.errorsTyped(subject)
        case .checkpoint: try ProgramMessageRules.checkpoint(subject)
        case .newerAgent: try ProgramMessageRules.newerAgent(subject)
        case .oneAnswer: try ProgramMessageRules.oneAnswer(subject)
        case .everyValue: try SinkRules.everyValue(subject.instances)
        case .hostileLabels: try SinkRules.hostile(subject.instances)
        case .sameBatchTwice: try SinkRules.twice(subject.instances)
        }
    }
}
