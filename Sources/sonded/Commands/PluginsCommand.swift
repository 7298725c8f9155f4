internal import SondeDomain
internal import SondeEngine
internal import SondeGateways
internal import SondePresentation

/// `plugins-list` and `plugins-describe`.
struct PluginsCommand {
    let session: Session

    /// Loads every plugin in the directories, and reports why one was refused.
    func list() -> ExitCode {
        let catalog = session.catalog(log: session.startupLog)
        let rows = catalog.availableNames.flatMap { name in
            do throws(SondeError) {
                return try catalog.plugins(named: name).map { PluginListState.Row($0.descriptor, path: $0.path) }
            } catch {
                return [PluginListState.Row(name: name, refusal: error)]
            }
        }
        let view = PluginListView(PluginListState(rows: rows), columns: StandardStream.terminalColumns)
        return StandardStream.output(Array((session.arguments.format == .json ? view.json : view.text).utf8))
    }

    /// Shows the description of one plugin, or of a source and a sink of one name.
    func describe(_ name: String) -> ExitCode {
        let log = session.startupLog
        do throws(SondeError) {
            let plugins = try session.catalog(log: log).plugins(named: name)
            switch session.arguments.format {
            case .json: return StandardStream.output(plugins.flatMap { $0.description + [0x0a] })
            case .table:
                let texts = plugins.map {
                    PluginDescriptionView(PluginDescriptionState($0.descriptor, path: $0.path)).text
                }
                return StandardStream.output(Array(texts.joined(separator: "\n").utf8))
            }
        } catch {
            log.log(.error, error)
            return ExitCode(error)
        }
    }
}
