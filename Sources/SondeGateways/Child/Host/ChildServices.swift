internal import SondeDomain
internal import SondeEngine

/// What the agent does for an instance in a child: the frames that the child sends during a call, and the engine's services.
///
/// Everything in a frame may be wrong: what is no valid request breaks the protocol. Belongs to the thread that calls the
/// instance.
final class ChildServices {
    private let role: InstanceHost.Role
    private let id: String
    /// How long a process that streams has to open again what the process before it had.
    static let reopening = Nanoseconds.seconds(60)

    /// Series that this process has opened, with what they count from, and those that the process before it had.
    private var series: (own: [UInt64: Timestamp?], former: [UInt64: Timestamp?]) = ([:], [:])
    private var processBegan: MonotonicInstant?
    private var reasons = BoundedReasons()
    /// The metrics whose description this process has.
    private var sentMeanings: Set<String> = []

    init(_ role: InstanceHost.Role, id: String) {
        self.role = role
        self.id = id
    }

    /// Whether they are those of a source.
    var isSource: Bool { source != nil }

    private var source: (any SourceServices)? {
        if case .source(let services, _) = role { services } else { nil }
    }

    private var services: any PluginServices {
        switch role {
        case .source(let services, _): services
        case .sink(let services): services
        case .inspector(let services): services
        }
    }

    func log(_ level: LogLevel, _ message: String) {
        services.log(level, message)
    }

    /// The description of a metric, for a batch; empty when this process has it already.
    func newMeaning(of metric: String) -> String {
        guard case .sink(let services) = role, sentMeanings.insert(metric).inserted else { return "" }
        return services.meaning(of: metric)
    }

    /// Another process begins: what it does not open again has ended.
    func beginProcess() {
        series = ([:], series.former.merging(series.own) { $1 })
        processBegan = source?.clock.monotonicTime
        sentMeanings = []
    }

    /// A call has completed, or a stream has lasted: series of the process before that this one has not opened are closed.
    func closeFormerSeries() {
        for handle in series.former.keys.sorted() { source?.closeSeries(handle) }
        series.former = [:]
    }

    /// Serves one request.
    func serve(_ kind: ChildFrame.Kind, _ reader: inout ByteReader, _ channel: FrameChannel) throws(ChannelFlaw) {
        switch (kind, source) {
        case (.openSeries, let source?): try openSeries(&reader, source, channel)
        case (.closeSeries, let source?):
            let handle = reader.number(UInt64.self)
            try reader.check()
            series.own[handle] = nil
            series.former[handle] = nil
            source.closeSeries(handle)
        case (.commit, let source?): try commit(&reader, source, channel)
        case (.loadCheckpoint, let source?):
            let checkpoint = source.loadCheckpoint()
            try channel.send(.answer) { $0.append(optional: checkpoint) { $0.append(counted: $1) } }
        case (.requestTick, let source?):
            let isGranted = source.requestTick(every: Nanoseconds(reader.number(Int64.self)))
            try channel.send(.answer) { $0.append(flag: isGranted) }
        case (.rejectPoint, nil): try rejectPoint(&reader)
        default: try serveAny(kind, &reader, channel)
        }
    }

    private func serveAny(
        _ kind: ChildFrame.Kind, _ reader: inout ByteReader, _ channel: FrameChannel
    ) throws(ChannelFlaw) {
        switch kind {
        case .beat: return
        case .log:
            let line = try reader.logLine()
            services.log(line.level, line.text)
        case .loss:
            var loss = reader.loss(component: id)
            try reader.check()
            loss.reason = reasons.bounded(loss.reason)
            services.reportLoss(loss)
        case .trouble:
            let since = reader.time()
            let error = reader.error(component: id)
            try reader.check()
            let isTaken = services.reportTrouble(error, since: since)
            try channel.send(.answer) { $0.append(flag: isTaken) }
        case .clearTrouble:
            let code = ErrorCode(reader.text(atMost: InstanceHost.messageLimit))
            let path = reader.optional { $0.text(atMost: OptionRecords.pathLimit) }
            try reader.check()
            services.clearTrouble(code, optionPath: path)
        default: throw .malformed("sent a frame of kind \(kind.rawValue) where none is expected")
        }
    }

    private func openSeries(
        _ reader: inout ByteReader, _ source: any SourceServices, _ channel: FrameChannel
    ) throws(ChannelFlaw) {
        let specification = reader.series()
        try reader.check()
        var handle = source.openSeries(specification)
        if let start = series.former.removeValue(forKey: handle), start != specification.start {
            // It would go on with the former start, and what was counted since would be taken for an increase.
            source.closeSeries(handle)
            handle = source.openSeries(specification)
        }
        if handle != 0 { series.own.updateValue(specification.start, forKey: handle) }
        try channel.send(.answer) { $0.append(handle) }
    }

    private func commit(
        _ reader: inout ByteReader, _ source: any SourceServices, _ channel: FrameChannel
    ) throws(ChannelFlaw) {
        let checkpoint = reader.optional { [UInt8]($0.counted()) }
        var rejections = reader.rejections()
        let samples = reader.samples(&rejections)
        try reader.check()
        guard checkpoint?.count ?? 0 <= InstanceHost.checkpointLimit,
            samples.count + rejections.count <= SampleReader.limit
        else { throw .malformed("committed more than a commit can be") }
        let result = source.commit(samples, checkpoint: checkpoint, rejections: rejections)
        let code: UInt8 =
            switch result {
            case .taken: 0
            case .busy: 1
            case .stopping: 2
            }
        if result == .taken, !series.former.isEmpty, let processBegan,
            source.clock.monotonicTime.since(processBegan) >= Self.reopening
        {
            closeFormerSeries()
        }
        try channel.send(.answer) { $0.append(code) }
    }

    private func rejectPoint(_ reader: inout ByteReader) throws(ChannelFlaw) {
        let metric = reader.text(atMost: SeriesSpecification.nameLimit)
        let reason = reader.text(atMost: Loss.reasonLimit)
        try reader.check()
        guard case .sink(let services) = role else { return }
        services.reject(pointOf: metric, reason: reason)
    }
}

extension ByteReader {
    /// The body of a frame `log`.
    mutating func logLine() throws(ChannelFlaw) -> (level: LogLevel, text: String) {
        let level = LogLevel(rawValue: number(Int32.self)) ?? .info
        let text = text(atMost: InstanceHost.messageLimit)
        try check()
        return (level, text)
    }
}
