internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

extension PluginError {
    /// The namespace is not there, or may not be entered.
    static func namespaceUnreachable(_ view: NamespaceView, _ error: NetlinkError) -> PluginError {
        PluginError(
            "SND-PRC008",
            .configuration,
            "the network namespace '\(view.option.text)' cannot be entered: \(error.message)",
            hint: error.isAbsence
                ? view.makingHint
                : "Entering a namespace takes CAP_SYS_ADMIN; pid:N needs it less, its tables are files.",
            optionPath: "netns"
        )
    }

    static let uplinkMissingCode = "SND-PRC006"

    /// The option `uplinks` names an interface that is not there.
    static func uplinkMissing(_ name: String, option: String) -> PluginError {
        PluginError(
            uplinkMissingCode,
            .configuration,
            "the interface '\(name)' does not exist: it is in no total",
            hint: "Correct the option uplinks; an interface that appears later is found at the next interval.",
            optionPath: option
        )
    }

    /// The kernel, or what confines the agent, does not allow netlink.
    static func netlinkRefused(_ error: NetlinkError) -> PluginError {
        PluginError(
            "SND-PRC009",
            .configuration,
            "netlink is refused: \(error.message)",
            hint: "The service must allow RestrictAddressFamilies=AF_NETLINK; another namespace takes CAP_SYS_ADMIN."
        )
    }

    /// The kernel did not answer this time.
    static func linksUnanswered(_ error: NetlinkError) -> PluginError {
        PluginError(
            "SND-PRC010",
            .transient,
            "the kernel did not answer about interfaces: \(error.message)",
            hint: "It is asked again at the next interval; look into the kernel's log if it lasts."
        )
    }
}

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
