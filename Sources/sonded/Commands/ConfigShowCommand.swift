internal import SondePresentation

/// `config-show`: the effective configuration, secrets masked.
struct ConfigShowCommand {
    let session: Session

    func run() -> ExitCode {
        guard let (configuration, _) = session.loadReporting() else { return .configuration }
        return StandardStream.output(Array(ConfigurationView.text(ConfigurationState(configuration)).utf8))
    }
}
