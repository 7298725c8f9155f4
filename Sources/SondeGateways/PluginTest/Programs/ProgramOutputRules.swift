internal import SondeDomain
internal import SondeEngine

/// What a source's program prints.
enum ProgramOutputRules {
    private static let readings = 3

    static func output(_ subject: ProgramSubject) throws(RuleEnd) {
        let troubles = try services(subject).read { $0.troubles }
        guard let trouble = troubles.first(where: { $0.code == .programOutputUnreadable }) else { return }
        throw .failed(trouble.message)
    }

    /// The metrics that it prints, as a description would have them.
    static func metrics(_ subject: ProgramSubject) throws(RuleEnd) -> [MetricDefinition] {
        var seen: Set<String> = []
        return try services(subject).read { $0.openings }.map(\.series).filter { seen.insert($0.name).inserted }
            .map { MetricDefinition($0.name, $0.kind, unit: $0.unit, meaning: "Not said by a program.") }
    }

    static func times(_ subject: ProgramSubject) throws(RuleEnd) {
        if let flaw = SampleRules.futureTime(try services(subject)) { throw .failed(flaw) }
    }

    static func once(_ subject: ProgramSubject) throws(RuleEnd) {
        let services = try services(subject)
        if let conflict = services.read({ $0.conflicts }).first { throw .failed(conflict) }
        // What a stream has printed at once need not be of one time.
        let isWhole = subject.settings.mode == .interval || subject.settings.format == .sonde
        if let flaw = SampleRules.repeated(services, untimed: isWhole) { throw .failed(flaw) }
    }

    static func counters(_ subject: ProgramSubject) throws(RuleEnd) {
        if let flaw = SampleRules.fallen(try services(subject)) { throw .failed(flaw) }
    }

    /// What the engine has of a program after a few readings.
    private static func services(_ subject: ProgramSubject) throws(RuleEnd) -> TestServices {
        let instance = try subject.worked(readings)
        instance.close()
        return instance.services
    }
}
