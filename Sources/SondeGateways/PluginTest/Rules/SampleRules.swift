internal import SondeDomain
internal import SondeEngine

/// What a source opens and commits.
enum SampleRules {
    private static let readings = 4
    /// Clocks are read one after the other.
    private static let tolerance = Nanoseconds.seconds(1)

    static func values(_ subject: RuleSubject) throws(RuleEnd) {
        let services = try services(subject)
        for commit in services.read({ $0.commits }) {
            for rejection in commit.rejections {
                let name = name(of: rejection.series, services)
                throw .failed("a sample of \(name) cannot be taken: \(rejection.reason.rawValue)")
            }
            for sample in commit.samples {
                guard let series = services.read({ $0.specifications[sample.series] }) else {
                    throw .failed("a sample names the series \(sample.series), which was never opened")
                }
                if let flaw = flaw(of: sample.value, as: series.kind) { throw .failed("\(series.name): \(flaw)") }
            }
        }
        if let flaw = futureTime(services) { throw .failed(flaw) }
    }

    /// A sample of a time that has not been; nil: there is none.
    static func futureTime(_ services: TestServices) -> String? {
        let now = SystemClock().wallTime.nanoseconds + tolerance.value
        for sample in services.read({ $0.commits }).flatMap(\.samples) {
            guard let time = sample.time, !(0...now).contains(time.nanoseconds) else { continue }
            let name = name(of: sample.series, services)
            return "a sample of \(name) is of a time that has not been: \(time.nanoseconds) ns"
        }
        return nil
    }

    private static func flaw(of value: SampleValue, as kind: MetricKind) -> String? {
        switch (kind, value) {
        case (.histogram, .histogram): nil
        case (.histogram, _), (_, .histogram): "a \(kind.name) with a value of another type"
        case (.counter, .signed(let number)) where number < 0: "a counter of \(number)"
        case (.counter, .double(let number)) where number < 0: "a counter of \(number)"
        case (.info, _) where value.asDouble != 1: "an info that is not 1"
        default: nil
        }
    }

    static func described(_ subject: RuleSubject) throws(RuleEnd) {
        let services = try services(subject)
        let metrics = Dictionary(subject.descriptor.metrics.map { ($0.name, $0) }) { first, _ in first }
        for series in services.read({ $0.openings }).map(\.series) {
            guard let metric = metrics[series.name] else { throw .failed("\(series.name) is not in the description") }
            guard metric.kind == series.kind else {
                throw .failed(
                    "\(series.name) is opened as a \(series.kind.name) and described as a \(metric.kind.name)")
            }
            guard metric.unit == series.unit else {
                throw .failed("\(series.name) is opened in '\(series.unit)' and described in '\(metric.unit)'")
            }
            for attribute in series.attributes where !metric.attributes.contains(attribute.name) {
                throw .failed("\(series.name) has the attribute \(attribute.name), which is not in the description")
            }
        }
    }

    static func once(_ subject: RuleSubject) throws(RuleEnd) {
        let services = try services(subject)
        if let conflict = services.read({ $0.conflicts }).first { throw .failed(conflict) }
        if let flaw = repeated(services) { throw .failed(flaw) }
    }

    /// Two samples of one series and time in a commit; nil: there are none.
    ///
    /// `untimed`: also where the time is that of the call.
    static func repeated(_ services: TestServices, untimed: Bool = true) -> String? {
        for commit in services.read({ $0.commits }) {
            var seen: Set<Observation> = []
            for sample in commit.samples where untimed || sample.time != nil {
                guard seen.insert(Observation(series: sample.series, time: sample.time)).inserted else {
                    return "a commit has two samples of \(name(of: sample.series, services)) of one time"
                }
            }
        }
        return nil
    }

    private struct Observation: Hashable {
        let series: UInt64
        let time: Timestamp?
    }

    static func counters(_ subject: RuleSubject) throws(RuleEnd) {
        if let flaw = fallen(try services(subject)) { throw .failed(flaw) }
    }

    /// A counter that fell from one sample to the next; nil: there is none.
    static func fallen(_ services: TestServices) -> String? {
        var last: [UInt64: Double] = [:]
        for sample in services.read({ $0.commits }).flatMap(\.samples) {
            guard let series = services.read({ $0.specifications[sample.series] }), series.kind == .counter,
                let value = sample.value.asDouble
            else { continue }
            if let before = last[sample.series], value < before {
                return "\(series.name) fell from \(before) to \(value)"
            }
            last[sample.series] = value
        }
        return nil
    }

    /// What the host has of an instance that has worked a few times.
    private static func services(_ subject: RuleSubject) throws(RuleEnd) -> TestServices {
        let instance = try subject.started()
        for _ in 0..<(instance.isStreaming ? 2 : readings) {
            try subject.expecting("its work") { () throws(SondeError) in try instance.work() }
        }
        instance.close()
        guard instance.services.read({ $0.commits.contains { !$0.samples.isEmpty || !$0.rejections.isEmpty } }) else {
            throw .skipped("it committed no sample: give options with which it has something to report")
        }
        return instance.services
    }

    private static func name(of handle: UInt64, _ services: TestServices) -> String {
        services.read { $0.specifications[handle]?.name } ?? "series \(handle)"
    }
}
