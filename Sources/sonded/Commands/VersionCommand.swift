internal import SondeEngine
internal import SondeGateways

/// `version`: the agent, what it is compatible with, and the formats of what it keeps.
struct VersionCommand {
    func run() -> ExitCode {
        let text = """
            sonde \(Version.text)
            plugin contract \(PluginContract.version)
            Swift runtime \(PluginContract.runtime)
            control protocol \(VersionHandler.protocolVersion)
            spool format \(StateFormats.spool)
            history format \(StateFormats.history)
            dead letter format \(StateFormats.deadLetter)

            """
        return StandardStream.output(Array(text.utf8))
    }
}
