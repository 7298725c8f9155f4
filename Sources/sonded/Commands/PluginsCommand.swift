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
        let rows = catalog.availableNames.map { name in
            do throws(SondeError) {
                let plugin = try catalog.plugin(named: name)
                return PluginListState.Row(plugin.descriptor, path: plugin.path)
            } catch {
                return PluginListState.Row(name: name, refusal: error)
            }
        }
        let view = PluginListView(PluginListState(rows: rows), columns: StandardStream.terminalColumns)
        return StandardStream.output(Array((session.arguments.format == .json ? view.json : view.text).utf8))
    }

    /// Shows the description of one plugin.
    func describe(_ name: String) -> ExitCode {
        let log = session.startupLog
        do throws(SondeError) {
            let plugin = try session.catalog(log: log).plugin(named: name)
            switch session.arguments.format {
            case .json: return StandardStream.output(plugin.description + [0x0a])
            case .table:
                let state = PluginDescriptionState(plugin.descriptor, path: plugin.path)
                return StandardStream.output(Array(PluginDescriptionView(state).text.utf8))
            }
        } catch {
            log.log(.error, error)
            return ExitCode(error)
        }
    }
}
