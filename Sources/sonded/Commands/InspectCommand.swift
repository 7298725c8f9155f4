internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

/// `inspect FILE`: offers the file to one plugin after the other, until one of them reads it.
struct InspectCommand {
    let session: Session

    func run(_ path: String) -> ExitCode {
        let log = session.startupLog
        do throws(SondeError) {
            let file = try FileToInspect(path)
            let progress = InspectProgress(file, isWanted: !session.arguments.isQuiet)
            defer { progress.end() }
            return try inspect(file, progress, log)
        } catch {
            log.log(.error, error)
            // The agent's classes define when to try again, which here a person decides.
            return error.failureClass == .accessRefused ? .permission : .failure
        }
    }

    private func inspect(
        _ file: FileToInspect,
        _ progress: InspectProgress,
        _ log: StreamLog
    ) throws(SondeError) -> ExitCode {
        let catalog = session.catalog(log: log)
        let cancel = try CancelSignal()
        let call = CallConditions(
            cancelDescriptor: cancel.descriptor,
            deadline: .distantFuture,
            time: session.clock.wallTime,
            interval: .zero
        )
        let services = SinkChannel(id: "inspect", clock: session.clock, log: log, ledger: LossLedger(log: log))
        let content = file.content(format: session.arguments.format.rawValue)
        var answers: [String] = []
        for name in catalog.availableNames {
            guard let plugin = load(name, catalog, &answers) else { continue }
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
        _ name: String,
        _ catalog: any PluginCatalog,
        _ answers: inout [String]
    ) -> (any FileInspecting)? {
        do throws(SondeError) {
            return try catalog.plugin(named: name) as? any FileInspecting
        } catch {
            answers.append("\(name): \(error.code): \(error.message)")
            return nil
        }
    }
}
