internal import SondeFormats
internal import SondeGateways

/// `version`: the agent, the plugin contract and the Swift runtime.
struct VersionCommand {
    let session: Session

    func run() -> ExitCode {
        let contract = PluginContract.version
        let runtime = PluginContract.runtime
        switch session.arguments.format {
        case .table:
            return StandardStream.output(
                Array("sonde \(Version.text)\nplugin contract \(contract)\nSwift runtime \(runtime)\n".utf8)
            )
        case .json:
            let members =
                "\"version\":\"\(Version.text)\",\"plugin_contract\":\"\(contract)\",\"runtime\":\"\(runtime)\""
            return StandardStream.output(Array("{\(members)}\n".utf8))
        }
    }
}
