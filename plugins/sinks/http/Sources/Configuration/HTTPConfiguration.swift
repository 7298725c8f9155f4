internal import SondeDomain
internal import SondeFormats

/// Everything that one instance was configured with, checked.
struct HTTPConfiguration: Sendable {
    /// Where batches go.
    var endpoint: Endpoint
    /// How a batch is written.
    var format: LineFormat
    /// Fields of the user's own, in the order of the file.
    var headers: [HeaderField]
    /// What proves who we are.
    var credentials: Credentials
    /// Bound on one delivery as a whole.
    var timeout: Nanoseconds
    /// Bound on the connection alone, name resolution and handshake included.
    var connectTimeout: Nanoseconds
    /// How the receiver is verified and the agent shows itself.
    var tls: TLSSettings
    /// What stands between.
    var proxy: ProxyChoice

    /// What must not show up in a message when the receiver echoes it.
    ///
    /// Short values of other headers and parameters are no secrets, and hiding them would make messages unreadable.
    var redaction: Redaction {
        let values = headers.filter { $0.carriesCredentials || $0.value.utf8.count >= 8 }.map(\.value)
        return Redaction(credentials.secrets + values + endpoint.secrets)
    }
}
