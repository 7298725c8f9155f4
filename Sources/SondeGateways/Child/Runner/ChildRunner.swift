internal import CSondePlugin
internal import Glibc
internal import SondeDomain
public import SondeEngine

/// A process that runs one instance of one plugin for the agent: docs/spec/child.md.
///
/// It loads the plugin by the same checks as the agent, and calls it by the same code.
public final class ChildRunner {
    /// The command with which the agent's program is executed as a child, before the names of plugin and instance, which are
    /// for people who look at the list of processes.
    public static let word = "plugin-child"

    /// What the agent asks for, taken out of its frame.
    private enum Request {
        case hello
        case load(name: String, directories: [String])
        case create(id: String, isSource: Bool, OptionValues)
        case start(isConfined: Bool)
        case call(ChildFrame.Kind, CallConditions)
        case deliver(Batch, CallConditions)
        case close
    }

    private let channel: FrameChannel
    private let services: ForwardedServices
    private let cancel: CancelReader
    private var plugin: ObjectPlugin?
    private var source: (any SourceInstance)?
    private var sink: (any SinkInstance)?

    private let makeCatalog: Catalog

    private init(_ makeCatalog: @escaping Catalog) throws(SondeError) {
        self.makeCatalog = makeCatalog
        channel = FrameChannel(try OwnedDescriptor(ChildFrame.descriptor, of: "descriptor 3"))
        services = ForwardedServices(channel)
        cancel = try CancelReader(STDIN_FILENO)
    }

    /// Makes a catalog of the plugins in some directories.
    public typealias Catalog = (_ directories: [String], _ log: any EventLog) -> any PluginCatalog

    /// Serves the agent until it is gone or asks for the end; `catalog` finds and links the plugin.
    public static func run(_ catalog: @escaping Catalog) -> Never {
        do {
            try ChildRunner(catalog).serve()
            exit(0)
        } catch {
            // The agent is gone, or is none: there is nobody to report to.
            _exit(1)
        }
    }

    private func serve() throws {
        while true {
            let request = try channel.receive { (kind, reader) throws(ChannelFlaw) in try read(kind, &reader) }
            if case .close = request {
                source?.close()
                sink?.close()
                try channel.send(.done)
                return
            }
            do throws(SondeError) {
                try answer(request)
            } catch {
                try channel.send(.failed) { $0.append(error) }
            }
        }
    }

    private func read(_ kind: ChildFrame.Kind, _ reader: inout ByteReader) throws(ChannelFlaw) -> Request {
        let request: Request
        switch kind {
        case .hello: request = .hello
        case .load: request = .load(name: reader.text(), directories: reader.list(ofAtLeast: 1) { $0.text() })
        case .create: request = .create(id: reader.text(), isSource: reader.flag(), reader.options())
        case .start: request = .start(isConfined: reader.flag())
        case .collect, .run, .tick, .serve: request = .call(kind, cancel.conditions(&reader))
        case .deliver:
            let call = cancel.conditions(&reader)
            request = .deliver(services.noting(reader.batch()), call)
        case .close: request = .close
        default: throw .malformed("kind \(kind.rawValue)")
        }
        try reader.check()
        return request
    }

    private func answer(_ request: Request) throws(SondeError) {
        switch request {
        case .hello:
            try done { writer in
                writer.append(ChildFrame.major)
                writer.append(ChildFrame.minor)
            }
        case .load(let name, let directories): try load(name, directories)
        case .create(let id, let isSource, let options): try create(id, isSource, options)
        case .start(let isConfined):
            try source?.start()
            try sink?.start()
            if isConfined { try Confinement.enter(escape: "sandbox: off") }
            try done()
        case .call(let kind, let call):
            let outcome = try perform(kind, call)
            try done { $0.append(outcome) }
        case .deliver(let batch, let call): try deliver(batch, call)
        case .close: break
        }
    }

    private func load(_ name: String, _ directories: [String]) throws(SondeError) {
        let found = try makeCatalog(directories, services).plugin(named: name, isolation: .inProcess)
        guard let plugin = found as? ObjectPlugin else { throw .pluginNameInvalid(name) }
        self.plugin = plugin
        let description = [UInt8](try plugin.table.description(path: plugin.path))
        try done { writer in
            let table = plugin.table.raw.pointee
            writer.append(text: plugin.path)
            writer.append(counted: description)
            writer.append(flag: plugin.table.kind == .source && table.run != nil)
            writer.append(flag: table.tick != nil)
            writer.append(flag: plugin.table.kind == .sink && table.run != nil)
            writer.append(flag: plugin.isConfined)
        }
    }

    private func create(_ id: String, _ isSource: Bool, _ options: OptionValues) throws(SondeError) {
        if isSource {
            source = try plugin?.makeSource(id: id, options: options, services: services)
        } else {
            sink = try plugin?.makeSink(id: id, options: options, services: services)
        }
        try done { $0.append((self.sink?.preferredContent ?? .metrics).rawValue) }
    }

    private func perform(_ kind: ChildFrame.Kind, _ call: CallConditions) throws(SondeError) -> CallOutcome {
        switch kind {
        case .collect: return try source?.collect(call) ?? .completed
        case .tick: return try source?.tick(call) ?? .completed
        case .run:
            let beat = try Heartbeat(channel)
            defer { beat.stop() }
            return try source?.run(call) ?? .completed
        default:
            let beat = try Heartbeat(channel)
            defer { beat.stop() }
            return try sink?.serve(call) ?? .completed
        }
    }

    private func deliver(_ batch: Batch, _ call: CallConditions) throws(SondeError) {
        switch try sink?.deliver(batch, call) {
        case nil, .cancelled: try done { $0.append(ChildFrame.Outcome.cancelled.rawValue, 0, "") }
        case .delivered(let rejected, let reason):
            try done { $0.append(ChildFrame.Outcome.completed.rawValue, rejected, reason) }
        }
    }

    /// Answers; without the agent there is nothing left to do.
    private func done(_ body: (inout ByteWriter) -> Void = { _ in }) throws(SondeError) {
        do throws(ChannelFlaw) {
            try channel.send(.done, body)
        } catch {
            _exit(1)
        }
    }
}

extension ByteWriter {
    fileprivate mutating func append(_ outcome: CallOutcome) {
        append((outcome == .completed ? ChildFrame.Outcome.completed : .cancelled).rawValue)
    }

    fileprivate mutating func append(_ outcome: UInt8, _ rejected: UInt64, _ reason: String) {
        append(outcome)
        append(rejected)
        append(text: reason)
    }
}
