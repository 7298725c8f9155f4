internal import SondeDomain
internal import SondeEngine

/// What plugins log and print while they are tested is no result.
struct UnheardLog: EventLog {
    func log(_ level: LogLevel, _ message: String, component: String?) {}
    func log(_ level: LogLevel, _ error: SondeError) {}
}
