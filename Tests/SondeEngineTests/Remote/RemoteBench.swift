import SondeDomain
import SondeTestKit
import Synchronization

@testable import SondeEngine

/// A use case with a server, a check, a disk and instances that do what a test says.
final class RemoteBench: Sendable {
    private struct Script {
        var answer = RemoteAnswer.unchanged
        var invalid: Set<UInt64> = []
        var isLocalInvalid = false
        var stored = RemoteState()
        var saveFailure: SondeError?
        var instances: [InstanceStatus] = []
        var reloads: [Reconfigure.Outcome] = []
        var reloaded: [UInt64?] = []
        var etags: [String?] = []
    }

    let clock = ManualClock()
    let log = RecordingLog()
    private let script = Mutex(Script())

    /// An agent whose configuration names a server, and what it starts with.
    func start(interval: Nanoseconds = .seconds(60), probation: Nanoseconds = .seconds(30))
        -> (RemoteConfiguration, FollowRemoteConfiguration)
    {
        let configuration = RemoteConfiguration(log: log) { [self] (_) throws(SondeError) in Store(bench: self) }
        _ = configuration.layer(Self.agent(interval, probation))
        let follow = FollowRemoteConfiguration(
            agent: "an-agent",
            on: .init(
                configuration: configuration, source: Source(bench: self), check: Check(bench: self),
                instances: { [self] in script.withLock { $0.instances } },
                reload: { [self] in
                    let serial = configuration.layer(Self.agent(interval, probation))?.name.split(separator: "#").last
                    return script.withLock { script in
                        script.reloaded.append(serial.flatMap { UInt64($0) })
                        return script.reloads.isEmpty ? .carriedOut(.changing()) : script.reloads.removeFirst()
                    }
                }), clock: clock, log: log)
        return (configuration, follow)
    }

    static func agent(_ interval: Nanoseconds = .seconds(60), _ probation: Nanoseconds = .seconds(30)) -> AgentSettings
    {
        var agent = AgentSettings()
        agent.stateDirectory = "/state"
        agent.remote.url = "https://h/fleet?token=secret"
        (agent.remote.interval, agent.remote.probation) = (interval, probation)
        return agent
    }

    static func layer(_ serial: UInt64, _ text: String? = nil) -> RemoteLayer {
        RemoteLayer(serial: serial, text: Array((text ?? "serial: \(serial)\n").utf8), etag: "\"\(serial)\"")
    }

    /// Steps once a second for a span.
    func run(_ follow: FollowRemoteConfiguration, _ span: Nanoseconds) {
        let end = clock.monotonicTime.advanced(by: span)
        while clock.monotonicTime < end {
            _ = follow.step()
            clock.advance(by: .seconds(1))
        }
    }

    func serve(_ answer: RemoteAnswer) { script.withLock { $0.answer = answer } }
    func serve(_ serial: UInt64) { serve(.file(Self.layer(serial))) }
    func refuse(_ serial: UInt64) { script.withLock { _ = $0.invalid.insert(serial) } }
    func breakLocalFiles(_ isBroken: Bool) { script.withLock { $0.isLocalInvalid = isBroken } }
    func keep(_ state: RemoteState) { script.withLock { $0.stored = state } }
    func failSaves(_ error: SondeError?) { script.withLock { $0.saveFailure = error } }
    func set(_ instances: [InstanceStatus]) { script.withLock { $0.instances = instances } }
    func answerReloads(_ outcomes: Reconfigure.Outcome...) { script.withLock { $0.reloads = outcomes } }

    var stored: RemoteState { script.withLock { $0.stored } }
    /// The serial that each reload has read.
    var reloaded: [UInt64?] { script.withLock { $0.reloaded } }
    /// What each request named as known.
    var etags: [String?] { script.withLock { $0.etags } }

    private struct Store: RemoteStore {
        let bench: RemoteBench

        func load() throws(SondeError) -> RemoteState { bench.script.withLock { $0.stored } }

        func save(_ state: RemoteState) throws(SondeError) {
            if let failure = bench.script.withLock({ $0.saveFailure }) { throw failure }
            bench.script.withLock { $0.stored = state }
        }
    }

    private struct Source: RemoteSource {
        let bench: RemoteBench

        func fetch(etag: String?) -> RemoteAnswer {
            bench.script.withLock { script in
                script.etags.append(etag)
                if case .file(let layer) = script.answer, layer.etag == etag { return .unchanged }
                return script.answer
            }
        }
    }

    private struct Check: RemoteCheck {
        let bench: RemoteBench

        func check(_ layer: RemoteLayer?) -> RemoteCheckResult {
            bench.script.withLock { script in
                if script.isLocalInvalid { return .invalid("sonde.yaml:1:1: error") }
                return layer.map { script.invalid.contains($0.serial) } ?? false ? .invalid("fleet:2:1: error") : .valid
            }
        }
    }
}

extension Reconfigure.Report {
    /// What a reload that has changed these sinks reports.
    static func changing(sinks: String..., agent keys: [String] = []) -> Self {
        var instances = ConfigurationChange.Instances()
        instances.changed = sinks
        return Self(sources: .init(), sinks: instances, agentKeys: keys, waiting: [])
    }
}

extension InstanceStatus {
    /// A sink that works.
    static func sink(_ id: String) -> InstanceStatus {
        var status = InstanceStatus(id: id, plugin: "http", kind: .sink, at: MonotonicInstant(nanoseconds: 1))
        status.enter(.running, at: MonotonicInstant(nanoseconds: 1))
        status.succeed(at: MonotonicInstant(nanoseconds: 1))
        return status
    }

    /// The same, failing since an instant.
    func failing(_ failureClass: FailureClass, code: String = "SND-HTTP401", since: MonotonicInstant) -> InstanceStatus
    {
        var status = self
        status.fail(.fake(failureClass, code: code), at: since)
        return status
    }
}
