internal import SondeDomain
internal import SondeEngine

/// One instance of a plugin in a process of its own: what sources and sinks have in common.
///
/// A process that has ended is replaced by the next start, which makes the instance again.
final class ChildInstance {
    private let plugin: ChildPlugin
    private let id: String
    private let options: OptionValues
    private let services: ChildServices
    private let session: ChildSession
    /// What a sink prefers to be sent.
    private(set) var preferredContent = SendContent.metrics

    /// Starts a process and makes the instance in it.
    init(
        _ plugin: ChildPlugin, id: String, options: OptionValues, services: ChildServices
    ) throws(SondeError) {
        (self.plugin, self.id, self.options, self.services) = (plugin, id, options, services)
        session = try ChildSession(id: id, log: services.log, serve: services.serve)
        try create()
    }

    var process: ChildProcess { session.process }

    /// Whether there is a process that has not ended.
    var isOpen: Bool { session.isOpen }

    /// Opens what the instance needs, in a new process when there is none.
    func start() throws(SondeError) {
        if !session.isOpen { try create() }
        try explaining { () throws(SondeError) in
            try session.request(.start, .watched) { $0.append(flag: plugin.sandbox == .on) }
        }
    }

    /// One call.
    func call(
        _ kind: ChildFrame.Kind, _ conditions: CallConditions, _ body: (inout ByteWriter) -> Void = { _ in },
        answer: (inout ByteReader) -> Void = { _ in }
    ) throws(SondeError) -> CallOutcome {
        let outcome: CallOutcome
        do throws(SondeError) {
            outcome = try explaining { () throws(SondeError) in
                try session.call(kind, conditions, body, answer: answer)
            }
        } catch {
            // It cannot open anything again.
            if plugin.sandbox == .on { session.close() }
            throw error
        }
        services.closeFormerSeries()
        return outcome
    }

    /// Ends the instance and its process.
    func close() { session.close() }

    private func create() throws(SondeError) {
        services.beginProcess()
        try session.launch(plugin.command(for: id))
        try plugin.load(in: session)
        try explaining { () throws(SondeError) in
            try session.request(.create, .limited(ChildSession.limit)) { writer in
                writer.append(text: id)
                writer.append(flag: services.isSource)
                writer.append(options)
            } answer: { reader in
                preferredContent = SendContent(rawValue: reader.number(UInt32.self))
            }
        }
    }

    /// The places of options are known here alone.
    private func explaining<Result>(_ body: () throws(SondeError) -> Result) throws(SondeError) -> Result {
        do throws(SondeError) {
            return try body()
        } catch {
            throw error.at(error.optionPath.flatMap { options.mark(for: $0) })
        }
    }
}
