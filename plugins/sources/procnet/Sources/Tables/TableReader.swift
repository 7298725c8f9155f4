internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// Reads one table again and again and turns it into samples.
final class TableReader {
    let table: ProcTable
    /// Why the last reading failed, or nil when it did not.
    private(set) var failure: ReadFailure?
    /// What was left out so far.
    private(set) var problems = InputProblemCounts()

    private var file: ProcFile
    private var format: any TableFormat
    private let counters: CounterChoice
    private var series = SeriesBook()
    private let limits: TableLimits
    private let host: PluginHost
    /// Which sections are reported, by key; nil: all of them.
    private let filter: GlobFilter?
    private var numbers: [KernelNumber] = []
    private var followed: FollowedDevices
    /// When the table was read last.
    private var lastReading: Timestamp?
    private var reported: Set<Int> = []
    private var hasReportedUnknown = false

    init(
        _ table: ProcTable,
        proc: String,
        limits: TableLimits,
        filter: GlobFilter? = nil,
        counters: CounterChoice = CounterChoice(),
        following: [String] = [],
        host: PluginHost
    ) {
        self.table = table
        self.filter = filter
        self.counters = counters
        self.limits = limits
        self.host = host
        followed = FollowedDevices(following)
        file = ProcFile(path: "\(proc)/\(table.path)", limit: limits.fileSize, tape: host.tape)
        format = table.makeFormat(counters)
    }

    /// Appends a sample of every number of the table; nothing when it cannot be read, which ``failure`` explains.
    func read(_ times: ReadingTimes, into samples: inout SampleBuffer, buffer: ProcBuffer) {
        do throws(ReadFailure) {
            let count = try file.read(into: buffer)
            try take(buffer.prefix(count), times)
            append(to: &samples)
            lastReading = times.now
            noteRecovery()
        } catch {
            note(error)
        }
        report()
    }

    /// Closes every series: the table is reported in another way from now on.
    ///
    /// The next reading, if there is one, learns it again.
    func closeAll() {
        format = table.makeFormat(counters)
        numbers.removeAll(keepingCapacity: true)
        _ = series.update([], start: nil, host: host)
        lastReading = nil
    }

    /// The counts of the interfaces that are followed, from the last reading; none when it failed.
    var followedCounters: [String: LinkCounters] { failure == nil ? followed.counters(numbers) : [:] }

    private func take(_ bytes: UnsafeRawBufferPointer, _ times: ReadingTimes) throws(ReadFailure) {
        guard !format.scan(bytes, into: &numbers) else { return }
        let sections = format.learn(bytes, limits: limits, into: &numbers, problems: &problems)
        guard !sections.isEmpty else {
            numbers.removeAll(keepingCapacity: true)
            throw .unrecognized
        }
        followed.learn(sections)
        let start = times.start(of: table, lastReading: lastReading)
        let changes = series.update(sections.map(admitted), start: start, host: host)
        problems.count(.seriesLimit, changes.refused)
        noteUnknown(changes.unknown)
    }

    /// The section with no column to report when the filter leaves it out: numbers and slots are paired by position.
    private func admitted(_ section: TableSection) -> TableSection {
        guard let filter, !filter.passes(section.key) else { return section }
        return TableSection(key: section.key, count: section.count) { [] }
    }

    private func append(to samples: inout SampleBuffer) {
        // Taken out of the object once: each look inside would be an exclusivity check.
        let slots = series.slots
        let numbers = numbers
        var outOfRange: UInt64 = 0
        for index in 0..<min(numbers.count, slots.count) {
            guard let handle = slots[index].handle else { continue }
            let number = numbers[index]
            switch number.form {
            case .unsigned:
                switch slots[index].scale {
                case .none: samples.append(handle, number.magnitude)
                case .some(let scale): samples.append(handle, scale.apply(number.magnitude))
                }
            case .negative:
                guard slots[index].isSigned, let value = number.negated else {
                    outOfRange &+= 1
                    continue
                }
                samples.append(handle, value)
            case .outOfRange:
                outOfRange &+= 1
            case .absent:
                continue
            }
        }
        problems.count(.valueRange, outOfRange)
    }
}

extension TableReader {
    private func note(_ failure: ReadFailure) {
        guard failure != self.failure else { return }
        self.failure = failure
        let level: PluginHost.LogLevel = failure == .absent ? .info : .warning
        host.log(level, "\(failure.code): \(failure.message(table.path)); its metrics are left out until it is back")
    }

    private func noteRecovery() {
        guard failure != nil else { return }
        failure = nil
        host.log(.info, "\(table.path) can be read again")
    }

    private func noteUnknown(_ names: [String]) {
        guard !names.isEmpty, !hasReportedUnknown else { return }
        hasReportedUnknown = true
        let names = Set(names).sorted()
        let shown = names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
        host.log(.info, "\(table.path) has \(names.count) columns that this version does not know: \(shown)")
    }

    private func report() {
        guard problems.total > 0, reported.count < InputProblem.allCases.count else { return }
        for problem in InputProblem.allCases where problems[problem] > 0 {
            guard reported.insert(problem.rawValue).inserted else { continue }
            host.log(.warning, "\(table.path): left out \(problem.explanation); further ones are only counted")
        }
    }
}
