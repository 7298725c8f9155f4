internal import CSondePlugin
internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// The process that checks one rule of one plugin: whatever the plugin does to it, the next rule has a process of its own.
///
/// It speaks the protocol of docs/spec/child.md as far as `create`, which here answers with the verdict.
public final class RuleChild {
    /// The command with which the agent's program is executed as such a process, before the names of rule and plugin.
    public static let word = "plugin-rule"

    /// Finds and links plugins of some directories.
    public typealias Catalog = ChildRunner.Catalog

    /// What the frame of a verdict holds before its text.
    enum Outcome: UInt8 {
        case passed
        case failed
        case skipped
    }

    private let channel: FrameChannel
    private let services: ForwardedServices
    private let makeCatalog: Catalog
    private let rule: PluginRule
    private var plugin: (any LoadedPlugin)?
    // Kept until the process has ended: what a rule leaves undestroyed is not destroyed behind its back.
    private var subject: RuleSubject?

    private init(_ rule: PluginRule, _ makeCatalog: @escaping Catalog) throws(SondeError) {
        self.rule = rule
        self.makeCatalog = makeCatalog
        channel = FrameChannel(try OwnedDescriptor(ChildFrame.descriptor, of: "descriptor 3"))
        services = ForwardedServices(channel)
    }

    /// Checks the rule of this name for the tester at descriptor 3, and ends the process.
    public static func run(_ rule: String?, _ catalog: @escaping Catalog) -> Never {
        guard let rule = rule.flatMap({ PluginRule(rawValue: $0) }) else { _exit(1) }
        // The tester is gone, or is none, where this throws: there is nobody to report to.
        try? RuleChild(rule, catalog).serve()
        // Threads of the plugin and what it registered with atexit are not waited for.
        _exit(0)
    }

    private enum Request {
        case hello
        case load(name: String, directories: [String])
        case check(OptionValues)
        case close
    }

    private func serve() throws {
        while true {
            let request = try channel.receive { (kind, reader) throws(ChannelFlaw) in try Self.read(kind, &reader) }
            switch request {
            case .hello:
                try channel.send(.done) { writer in
                    writer.append(ChildFrame.major)
                    writer.append(ChildFrame.minor)
                }
            case .load(let name, let directories):
                do throws(SondeError) {
                    plugin = try makeCatalog(directories, services).plugin(named: name, isolation: .inProcess)
                } catch {
                    try channel.send(.failed) { $0.append(error) }
                    continue
                }
                try channel.send(.done)
            case .check(let options): try answer(options)
            case .close: return try channel.send(.done)
            }
        }
    }

    private static func read(_ kind: ChildFrame.Kind, _ reader: inout ByteReader) throws(ChannelFlaw) -> Request {
        let request: Request
        switch kind {
        case .hello:
            (_, _) = (reader.number(UInt16.self), reader.number(UInt16.self))
            request = .hello
        case .load: request = .load(name: reader.text(), directories: reader.list(ofAtLeast: 1) { $0.text() })
        case .create: request = .check(reader.options())
        case .close: request = .close
        default: throw .malformed("kind \(kind.rawValue)")
        }
        try reader.check()
        return request
    }

    private func answer(_ options: OptionValues) throws(ChannelFlaw) {
        guard let plugin else { throw .malformed("asked before load") }
        var (outcome, text) = (Outcome.passed, "")
        let subject = RuleSubject(plugin, options)
        self.subject = subject
        do throws(RuleEnd) {
            try rule.check(subject)
        } catch {
            switch error {
            case .failed(let seen): (outcome, text) = (.failed, seen)
            case .skipped(let reason): (outcome, text) = (.skipped, reason)
            }
        }
        try channel.send(.done) { writer in
            writer.append(outcome.rawValue)
            writer.append(text: text)
        }
    }
}
