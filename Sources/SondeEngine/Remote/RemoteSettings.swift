public import SondeDomain

/// The settings of the remote configuration, `agent.remote`.
public struct RemoteSettings: Hashable, Sendable {
    /// The address of the signed file; nil: there is no remote configuration.
    public var url: String?
    /// The Ed25519 key that signs it, base64 of its SubjectPublicKeyInfo.
    public var publicKey: String?
    /// How often the server is asked; 1 s to 24 h.
    public var interval = Nanoseconds.seconds(300)
    /// How long a new one has to work until it counts as good; 1 s to 24 h.
    public var probation = Nanoseconds.seconds(300)
    /// How long one request may take.
    public var timeout = Nanoseconds.seconds(30)
    /// The bound of the signed file in bytes.
    public var maxBytes: Int64 = 256 << 10
    /// The certificates that the server's is checked with; nil: those of the system.
    public var caFile: String?
    /// The proxy; nil: none.
    public var proxy: String?
    /// A token for the server.
    public var bearer: Secret?

    /// The defaults: no remote configuration.
    public init() {}
}
