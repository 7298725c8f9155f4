internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

extension PluginError {
    /// The kernel, or what confines the agent, does not allow sock_diag.
    static func socketsRefused(_ error: NetlinkError) -> PluginError {
        PluginError(
            "SND-PRC011",
            .configuration,
            "sock_diag is refused: \(error.message)",
            hint:
                "The service must allow RestrictAddressFamilies=AF_NETLINK; the kernel must have tcp_diag and udp_diag."
        )
    }

    /// The kernel did not answer this time.
    static func socketsUnanswered(_ error: NetlinkError) -> PluginError {
        PluginError(
            "SND-PRC012",
            .transient,
            "the kernel did not answer about sockets: \(error.message)",
            hint: "It is asked again at the next interval; look into the kernel's log if it lasts."
        )
    }
}
