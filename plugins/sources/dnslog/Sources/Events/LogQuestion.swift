internal import SondeWire

/// The question of a client.
struct LogQuestion {
    var type: UInt16
    var name: LogName
    var client: IPAddress
}
