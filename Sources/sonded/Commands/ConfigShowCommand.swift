internal import SondeEngine
internal import SondePresentation

/// `config-show`: the effective configuration, secrets masked.
struct ConfigShowCommand {
    let session: Session

    func run() -> ExitCode {
        let loaded = session.load().loaded
        session.report(loaded)
        guard let configuration = loaded.configuration else { return .configuration }
        let state = ConfigurationState(configuration, loaded.provenance)
        let view = ConfigurationView(state, session.arguments.has(.origin) ? .origins : .defaults)
        return StandardStream.output(Array(view.text.utf8))
    }
}
