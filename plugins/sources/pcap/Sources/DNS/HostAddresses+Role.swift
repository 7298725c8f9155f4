internal import SondeWire

extension HostAddresses {
    /// The side of this host when `client` queries `server`.
    @inline(__always)
    func role(client: IPAddress, server: IPAddress) -> DNSRole {
        guard !isEmpty else { return .none }
        if contains(server) { return .server }
        return contains(client) ? .client : .none
    }
}
