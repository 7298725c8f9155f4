internal import Glibc

/// Where dnstap is listened for.
struct DnstapSettings: Hashable {
    /// The absolute path of the socket.
    var path: String
    /// Who may connect, as the mode of the socket.
    var mode: mode_t
}
