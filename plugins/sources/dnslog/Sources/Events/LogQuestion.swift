internal import SondeWire

/// What a client asked for.
struct LogQuestion {
    var type: UInt16
    var name: LogName
    var client: IPAddress
}
