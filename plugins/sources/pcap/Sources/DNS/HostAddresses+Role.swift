internal import SondeWire

extension HostAddresses {
    /// The side of this host when `client` asks `server`.
    func role(client: IPAddress, server: IPAddress) -> DNSRole {
        if contains(server) { return .server }
        return contains(client) ? .client : .none
    }
}
