internal import SondeDomain
internal import SondeEngine

/// A child process and the conversation with it, from its start to its end.
///
/// Belongs to the thread that calls the instance, ``process`` apart.
final class ChildSession {
    /// How long a child may take to load its plugin, to make an instance, and to end.
    static let limit = CallConditions.setupLimit

    // How long a process may take to end once its channel is closed.
    private static let endLimit = Nanoseconds.seconds(1)

    let process: ChildProcess
    private let id: String
    private let log: (LogLevel, String) -> Void
    /// Serves what the child asks during a request.
    private let serve: (ChildFrame.Kind, inout ByteReader, FrameChannel) throws(ChannelFlaw) -> Void
    /// How often a child that streams or serves shows that it lives, at least.
    private let silence: Nanoseconds
    private var link: ChildLink?

    /// A session without a process; throws when the system has no descriptor left.
    init(
        id: String, silence: Nanoseconds = .seconds(30), log: @escaping (LogLevel, String) -> Void,
        serve: @escaping (ChildFrame.Kind, inout ByteReader, FrameChannel) throws(ChannelFlaw) -> Void
    ) throws(SondeError) {
        self.id = id
        self.silence = silence
        self.log = log
        self.serve = serve
        process = try ChildProcess(component: id)
    }

    deinit { close() }

    /// Whether there is a process that has not ended.
    var isOpen: Bool { link != nil && process.isRunning }

    /// Starts a process in place of the one before, which is ended.
    func launch(_ command: ChildCommand) throws(SondeError) {
        discardProcess()
        let log = log
        link = ChildLink(try process.launch(command)) { log(.info, "standard error: \($0)") }
        var version: (major: UInt16, minor: UInt16) = (0, 0)
        try request(.hello, .limited(Self.limit)) { writer in
            writer.append(ChildFrame.major)
            writer.append(ChildFrame.minor)
        } answer: { reader in
            version = (reader.number(UInt16.self), reader.number(UInt16.self))
        }
        guard version.major == ChildFrame.major else {
            throw end(with: .malformed("speaks version \(version.major).\(version.minor) of the protocol"))
        }
    }

    /// Sends a request, serves what the child asks meanwhile, and gives its answer to `answer`.
    func request(
        _ kind: ChildFrame.Kind, _ patience: ChildLink.Patience, _ body: (inout ByteWriter) -> Void = { _ in },
        answer: (inout ByteReader) -> Void = { _ in }
    ) throws(SondeError) {
        guard let link else { throw end(with: .ended) }
        let failure: SondeError?
        do throws(ChannelFlaw) {
            failure = try link.exchange(kind, patience, body) {
                (channel, kind, reader) throws(ChannelFlaw) -> SondeError?? in
                switch kind {
                case .done: answer(&reader)
                case .failed:
                    let error = reader.error(component: id)
                    try reader.check()
                    return .some(error)
                default:
                    try serve(kind, &reader, channel)
                    return nil
                }
                try reader.check()
                return .some(nil)
            }
        } catch {
            throw end(with: error)
        }
        if let failure { throw failure }
    }

    /// A request that can be cancelled.
    func call(
        _ kind: ChildFrame.Kind, _ conditions: CallConditions, _ body: (inout ByteWriter) -> Void = { _ in },
        answer: (inout ByteReader) -> Void = { _ in }
    ) throws(SondeError) -> CallOutcome {
        let number = link?.beginCall(conditions.cancelDescriptor) ?? 0
        var outcome = CallOutcome.completed
        // These have no deadline; every other call has one.
        let patience: ChildLink.Patience = kind == .run || kind == .serve ? .alive(every: silence) : .watched
        try request(kind, patience) { writer in
            writer.append(conditions, number: number)
            body(&writer)
        } answer: { reader in
            if reader.byte() == ChildFrame.Outcome.cancelled.rawValue { outcome = .cancelled }
            answer(&reader)
        }
        return outcome
    }

    /// Ends the instance in it, and the process.
    func close() {
        if isOpen {
            process.expectEnd()
            try? request(.close, .limited(Self.limit))
        }
        discardProcess()
    }

    private func discardProcess() {
        process.close()
        process.waitForEnd(Self.limit)
        // Where a loop watches the process, that has taken its end before.
        _ = process.takeEnd()
        link?.readLastErrors()
        link = nil
    }

    /// The process is of no use any more: why it ended, or what it did.
    private func end(with flaw: ChannelFlaw) -> SondeError {
        if flaw != .ended { process.kill(because: flaw) }
        // A child that has only closed its channel lives on.
        var reason = process.waitForEnd(flaw == .ended ? Self.endLimit : Self.limit)
        if reason == nil {
            process.kill(because: flaw)
            reason = process.waitForEnd(Self.limit)
        }
        link?.readLastErrors()
        link = nil
        return reason ?? SondeError(flaw, component: id)
    }
}

extension ByteReader {
    /// Throws when a frame had less than was read of it.
    func check() throws(ChannelFlaw) {
        guard isValid else { throw .malformed("sent a frame that has too little, or a text that is too long") }
    }
}
