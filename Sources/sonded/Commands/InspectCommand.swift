internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

/// `inspect FILE`: offers the file to one plugin after the other, until one of them reads it.
///
/// Every plugin is loaded before the process is confined, and the file is read after that.
struct InspectCommand {
    private typealias Inspector = (name: String, plugin: any FileInspecting)

    let session: Session

    func run(_ path: String) -> ExitCode {
        let log = session.startupLog
        do throws(SondeError) {
            let file = try FileToInspect(path)
            var answers: [String] = []
            let inspectors = try load(session.catalog(log: log), &answers)
            if session.arguments.sandbox == .on { try Confinement.enter(escape: "--sandbox off") }
            try file.readHead()
            let progress = InspectProgress(file, isWanted: !session.arguments.isQuiet)
            defer { progress.end() }
            return try inspect(file, inspectors, answers, progress, log)
        } catch {
            log.log(.error, error)
            // The agent's classes define when to try again, which here a person decides.
            return error.failureClass == .accessRefused ? .permission : .failure
        }
    }

    private func inspect(
        _ file: FileToInspect,
        _ inspectors: [Inspector],
        _ refusals: [String],
        _ progress: InspectProgress,
        _ log: StreamLog
    ) throws(SondeError) -> ExitCode {
        let cancel = try CancelSignal()
        let call = CallConditions(
            cancelDescriptor: cancel.descriptor,
            deadline: .distantFuture,
            time: session.clock.wallTime,
            interval: .zero
        )
        let services = SinkChannel(id: "inspect", clock: session.clock, log: log, ledger: LossLedger(log: log))
        let content = file.content(format: session.arguments.format.rawValue)
        var answers = refusals
        for (name, plugin) in inspectors {
            let outcome = try plugin.inspect(content, services: services, call) { bytes in
                progress.end()
                return StandardStream.output([UInt8](bytes)) == .ok
            }
            switch outcome {
            case .completed: return .ok
            case .cancelled: return .failure
            case .unsuited(let reason): answers.append("\(name): \(reason.message)")
            case .notOffered: break
            }
        }
        throw file.unsuited(answers)
    }

    /// A refused plugin may have been the right one: it is reported if no other takes the file.
    private func load(
        _ catalog: any PluginCatalog, _ answers: inout [String]
    ) throws(SondeError) -> [Inspector] {
        var inspectors: [Inspector] = []
        for name in catalog.availableNames {
            do throws(SondeError) {
                let plugin = try catalog.plugin(named: name, isolation: .inProcess)
                if let inspector = plugin as? any FileInspecting { inspectors.append((name, inspector)) }
            } catch {
                answers.append("\(name): \(error.code): \(error.message)")
            }
            if session.arguments.sandbox == .on { try Confinement.check(after: name) }
        }
        return inspectors
    }
}
