internal import SondeDomain
internal import SondeWire

/// Where every line goes, whether it is followed or read offline.
///
/// State is behind plain pointers: nothing is allocated and no exclusive access is checked for a line. Use it from one
/// thread.
package final class LogPipeline {
    /// A line that is in no known format, kept as a sample.
    struct Sample {
        var format: LogFormat?
        /// Its beginning in quotation marks, or its replacement.
        var quote: String

        /// What is wrong, for people.
        var sentence: String {
            switch format {
            case .dnstap: "a frame of dnstap cannot be read, or holds no DNS message"
            case .some(let format): "a line is no line of \(format.rawValue): \(quote)"
            case nil: "a line is in no known format: \(quote)"
            }
        }
    }

    /// Lines that came before the format of their file was known.
    private(set) var undecidedLines: UInt64 = 0
    /// Why each format was chosen, until it is taken.
    private var reasons: [String] = []
    private var samples: [Sample] = []
    private let parser: LineParser
    /// Lines that are in no other format than the one of their file: such lines come again and again.
    private let doubted = SeenKeys()
    private let settings: LogSettings
    private let seed: UInt64
    private let analyses: UnsafeMutableBufferPointer<UnsafeMutablePointer<LogAnalysis>?>
    /// Milliseconds since the first line, on the clock of the lines.
    private let now: UnsafeMutablePointer<Int64>
    /// Nanoseconds that have passed beyond the last whole millisecond.
    private var remainder: Int64 = 0

    private static let mostReasons = 16

    /// A pipeline whose hashes cannot be predicted without `seed`.
    init(_ settings: LogSettings, seed: UInt64) {
        self.settings = settings
        self.seed = seed
        parser = LineParser(seed: seed)
        analyses = .allocate(capacity: LogFormat.allCases.count)
        analyses.initialize(repeating: nil)
        now = .allocate(capacity: 1)
        now.initialize(to: 0)
    }

    deinit {
        for analysis in analyses {
            analysis?.deinitialize(count: 1)
            analysis?.deallocate()
        }
        analyses.deallocate()
        now.deallocate()
    }

    /// A file or pipe whose lines will come.
    func open() -> LogStream {
        let stream = LogStream(longestStep: max(settings.timeout.value / 4_000_000, 1))
        if let format = settings.format {
            choose(format, stream.state)
            stream.state.pointee.doubted = .noise
        }
        return stream
    }

    /// Takes one line, without its end; the bytes are valid during the call.
    @inline(always)
    func take(_ line: UnsafeRawBufferPointer, _ stream: LogStream) {
        take(line, stream.state)
    }

    /// Takes one line of the stream that `state` belongs to, without reference counting for a line.
    @inline(always)
    func take(_ line: UnsafeRawBufferPointer, _ state: UnsafeMutablePointer<LogStream.State>) {
        let bytes = LogBytes(line)
        switch state.pointee.format {
        case .dnsmasq: takeDnsmasq(bytes, state)
        case .unbound: takeUnbound(bytes, state)
        case .bind: takeBIND(bytes, state)
        case .powerdns: takePowerDNS(bytes, state)
        case .kresd: takeKresd(bytes, state)
        default: takeOther(bytes, state)
        }
    }

    /// Takes one message of dnstap of `time`, in milliseconds; nil when it has none.
    ///
    /// The event's bytes are valid during the call.
    @inline(always)
    func take(_ event: LogEvent, at time: Int64?, _ stream: LogStream) {
        let state = stream.state
        if let time { state.pointee.clock.advance(to: time, &now.pointee) }
        if event.kind == .unparsed { keep(.none, .dnstap) }
        state.pointee.analysis?.pointee.process(event, at: now.pointee)
    }

    /// `span` has passed since the last call, even if no line shows it; call it before what came meanwhile is taken.
    func pass(_ span: Nanoseconds) {
        let sum = remainder &+ max(span.value, 0)
        now.pointee = now.pointee &+ sum / 1_000_000
        remainder = sum % 1_000_000
    }

    /// Ends what has waited too long.
    func settle() {
        for analysis in analyses { analysis?.pointee.settle(at: now.pointee) }
    }

    /// Lines were too long to be read.
    func addTooLong(_ count: UInt64, _ stream: LogStream) {
        if let analysis = stream.state.pointee.analysis {
            analysis.pointee.addUnparsed(count)
        } else {
            undecidedLines &+= count
        }
    }

    /// No line will come any more.
    func finish() {
        for analysis in analyses { analysis?.pointee.finish() }
    }

    /// Another interval begins: what is reported per interval has been reported.
    func startInterval() {
        for analysis in analyses { analysis?.pointee.startInterval() }
    }

    /// Calls `body` with the totals of each format that came.
    func withEach(_ body: (borrowing LogAnalysis) -> Void) {
        for analysis in analyses {
            guard let analysis else { continue }
            analysis.pointee.gather()
            body(analysis.pointee)
        }
    }

    /// Why formats were chosen since the last question.
    func takeReasons() -> [String] {
        defer { reasons = [] }
        return reasons
    }

    /// One line of each format that could not be read since the last question.
    func takeSamples() -> [Sample] {
        defer { samples = [] }
        return samples
    }
}

extension LogPipeline {
    @inline(always)
    private func readPrefix(_ line: LogBytes, _ state: UnsafeMutablePointer<LogStream.State>) {
        // A prefix that is the same has the same time.
        if state.pointee.prefixes.read(line), let time = state.pointee.prefixes.prefix.time {
            state.pointee.clock.advance(to: time, &now.pointee)
        }
    }

    /// Takes a line of a format that is known at the place of the call: its event is never more than some registers there.
    @inline(always)
    private func take(
        _ line: LogBytes, _ state: UnsafeMutablePointer<LogStream.State>, as format: LogFormat
    ) {
        guard let analysis = state.pointee.analysis else { return }
        parser.read(
            format, line, state.pointee.prefixes.prefix, { analysis.pointee.pending.find($0) },
            { event in
                guard event.isTelling || state.pointee.doubted != .noise else { return takeRest(event, line, state) }
                state.pointee.doubted = .unrelated
                analysis.pointee.process(event, of: format, at: now.pointee)
            },
            { event in takeRest(event, line, state) })
    }

    /// Takes a line that is none of those that make up nearly all of a log.
    @inline(never)
    private func takeRest(_ event: LogEvent, _ line: LogBytes, _ state: UnsafeMutablePointer<LogStream.State>) {
        guard event.kind.rawValue > state.pointee.doubted.rawValue else { return doubt(event.kind, line, state) }
        state.pointee.doubted = .unrelated
        state.pointee.analysis?.pointee.process(event, at: now.pointee)
    }

    @inline(never)
    private func takeUnbound(_ line: LogBytes, _ state: UnsafeMutablePointer<LogStream.State>) {
        readPrefix(line, state)
        take(line, state, as: .unbound)
    }

    @inline(never)
    private func takeBIND(_ line: LogBytes, _ state: UnsafeMutablePointer<LogStream.State>) {
        readPrefix(line, state)
        take(line, state, as: .bind)
    }

    @inline(never)
    private func takePowerDNS(_ line: LogBytes, _ state: UnsafeMutablePointer<LogStream.State>) {
        readPrefix(line, state)
        take(line, state, as: .powerdns)
    }

    @inline(never)
    private func takeKresd(_ line: LogBytes, _ state: UnsafeMutablePointer<LogStream.State>) {
        readPrefix(line, state)
        take(line, state, as: .kresd)
    }

    @inline(never)
    private func takeExtra(_ line: LogBytes, _ state: UnsafeMutablePointer<LogStream.State>) {
        take(line, state, as: .dnsmasq)
    }

    /// A line of another format, or of one that is not known yet.
    @inline(never)
    private func takeOther(_ line: LogBytes, _ state: UnsafeMutablePointer<LogStream.State>) {
        readPrefix(line, state)
        let prefix = state.pointee.prefixes.prefix
        guard let format = state.pointee.format else { return decide(line, prefix, state) }
        takeRest(parser.event(format, line, prefix), line, state)
    }

    /// The lines that make up nearly all of a plain log of dnsmasq are taken without detour.
    @inline(never)
    private func takeDnsmasq(_ line: LogBytes, _ state: UnsafeMutablePointer<LogStream.State>) {
        readPrefix(line, state)
        let start = state.pointee.prefixes.prefix.start
        guard line[start] &- 0x30 > 9, state.pointee.prefixes.prefix.tag == .dnsmasq,
            let analysis = state.pointee.analysis
        else { return takeExtra(line, state) }
        let message = line.from(start)
        if LineParser.isDnsmasqContinuation(message) { return analysis.pointee.skipLine() }
        guard message[0] == 0x71, let question = parser.dnsmasqQuestion(message) else { return takeExtra(line, state) }
        state.pointee.doubted = .unrelated
        analysis.pointee.add(question)
    }

    /// The first line that shows its format decides; those before it cannot hold queries.
    @inline(never)
    private func decide(_ line: LogBytes, _ prefix: LogPrefix, _ state: UnsafeMutablePointer<LogStream.State>) {
        guard let finding = FormatDetector.find(line, prefix, parser) else {
            undecidedLines &+= 1
            return keep(line, nil)
        }
        choose(finding, line, state)
        state.pointee.analysis?.pointee.process(parser.event(finding.format, line, prefix), at: now.pointee)
    }

    /// A line that the format does not match: another one may.
    @inline(never)
    private func doubt(_ kind: LogEvent.Kind, _ line: LogBytes, _ state: UnsafeMutablePointer<LogStream.State>) {
        let prefix = state.pointee.prefixes.prefix
        if settings.format == nil, !line.isEmpty, let finding = otherFormat(line, prefix, state.pointee.format) {
            choose(finding, line, state)
            state.pointee.analysis?.pointee.process(parser.event(finding.format, line, prefix), at: now.pointee)
            return
        }
        var kind = kind
        if state.pointee.doubted == .noise, isOfAnotherFormat(kind, line, prefix, state) { kind = .unparsed }
        if kind == .unparsed {
            keep(line, state.pointee.format)
            state.pointee.analysis?.pointee.addUnparsed(1)
        } else {
            state.pointee.analysis?.pointee.skipLine()
        }
    }

    /// So many lines without a tag that are in no known format may precede the first one of the format that the option
    /// names: a resolver that writes its file itself logs its start there.
    private static let mostStrangers = 100

    /// Whether a line shows that the option names the wrong format; no line of that format has come yet.
    private func isOfAnotherFormat(
        _ kind: LogEvent.Kind, _ line: LogBytes, _ prefix: LogPrefix, _ state: UnsafeMutablePointer<LogStream.State>
    ) -> Bool {
        guard !line.isEmpty, prefix.tag != .foreign else { return false }
        if kind == .unrelated {
            state.pointee.strangers &+= 1
            if state.pointee.strangers > Self.mostStrangers { return true }
        }
        return FormatDetector.findTelling(line, prefix, parser, besides: state.pointee.format) != nil
    }

    /// Another format than `known` that `line` shows, or nil; looked for once as long as the line comes again.
    private func otherFormat(
        _ line: LogBytes, _ prefix: LogPrefix, _ known: LogFormat?
    ) -> FormatDetector.Finding? {
        // A line with a tag has one format. Of those without, the message decides, and whether it is the whole line.
        // Of the formats without a tag, one has lines.
        let place = UInt32((known?.tag ?? .none).rawValue)
        let key = parser.key(line.from(prefix.start), place &* 2 &+ (prefix.start == 0 ? 0 : 1))
        if prefix.tag == .none, doubted.has(key) { return nil }
        let finding = FormatDetector.findTelling(line, prefix, parser, besides: known)
        if prefix.tag == .none, finding == nil { doubted.insert(key) }
        return finding
    }

    private func choose(
        _ finding: FormatDetector.Finding, _ line: LogBytes, _ state: UnsafeMutablePointer<LogStream.State>
    ) {
        choose(finding.format, state)
        guard reasons.count < Self.mostReasons else { return }
        reasons.append(FormatDetector.reason(finding, quote(line)))
    }

    private func choose(_ format: LogFormat, _ state: UnsafeMutablePointer<LogStream.State>) {
        state.pointee.format = format
        let place = LogFormat.allCases.firstIndex(of: format) ?? 0
        if analyses[place] == nil {
            let room = UnsafeMutablePointer<LogAnalysis>.allocate(capacity: 1)
            room.initialize(to: LogAnalysis(format, settings, seed: seed))
            analyses[place] = room
        }
        state.pointee.analysis = analyses[place]
    }

    private func keep(_ line: LogBytes, _ format: LogFormat?) {
        guard samples.count <= LogFormat.allCases.count, !samples.contains(where: { $0.format == format }) else {
            return
        }
        samples.append(Sample(format: format, quote: quote(line)))
    }

    /// A line that is not understood may hold names and clients anywhere: it is quoted only if all may be reported.
    private func quote(_ line: LogBytes) -> String {
        settings.privacy == .full ? FormatDetector.quote(line) : "a line that the option privacy keeps to itself"
    }
}
