internal import SondeDomain
internal import SondeEngine

extension PluginRule {
    /// Checks a plugin; returns when it keeps the rule.
    func check(_ subject: RuleSubject) throws(RuleEnd) {
        switch self {
        case .description: try DescriptionRules.description(subject)
        case .descriptionStable: try DescriptionRules.stable(subject)
        case .optionsDescribed: try DescriptionRules.options(subject.descriptor)
        case .metricNames: try MetricRules.names(subject.descriptor.metrics)
        case .metricUnits: try MetricRules.units(subject.descriptor.metrics)
        case .errorsDeclared: try DescriptionRules.errors(subject.descriptor)
        case .sample: try OptionRules.sample(subject)
        case .optionsRefused: try OptionRules.refused(subject)
        case .works: try LifeRules.works(subject)
        case .createDestroy: try LifeRules.createDestroy(subject)
        case .startTwice: try LifeRules.startTwice(subject)
        case .startAfterFailure: try LifeRules.startAfterFailure(subject)
        case .twoInstances: try LifeRules.twoInstances(subject)
        case .cancel: try StopRules.cancel(subject)
        case .silentAfterStop: try StopRules.silent(subject)
        case .errorsTyped: try ErrorRules.typed(subject)
        case .noLeak: try LeakRule.check(subject)
        case .lateDeadline: try HostRules.lateDeadline(subject)
        case .olderHost: try OlderHostRule.check(subject)
        case .confinement: try ConfinementRule.check(subject)
        case .busy: try HostRules.busy(subject)
        case .stopping: try HostRules.stopping(subject)
        case .refusedSeries: try HostRules.refusedSeries(subject)
        case .values: try SampleRules.values(subject)
        case .seriesDescribed: try SampleRules.described(subject)
        case .seriesOnce: try SampleRules.once(subject)
        case .counters: try SampleRules.counters(subject)
        case .emptyBatch: try SinkRules.delivers(TestBatches.empty, subject)
        case .everyValue: try SinkRules.everyValue(subject)
        case .hostileLabels: try SinkRules.hostile(subject)
        case .sameBatchTwice: try SinkRules.twice(subject)
        case .unreachable: try SinkRules.unreachable(subject)
        }
    }
}
