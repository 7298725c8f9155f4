internal import Glibc
internal import SondeDomain
internal import SondePluginKit

extension PluginError {
    /// The filter is wrong, or it names something that the link type lacks.
    static func filterRefused(_ filter: String, _ reason: String) -> PluginError {
        PluginError(
            "SND-PCP006",
            .configuration,
            "the filter '\(filter)' cannot be used: \(reason)",
            hint: "Write it as pcap-filter(7) describes; 'tcpdump -d FILTER' tests it.",
            optionPath: "filter"
        )
    }

    /// CAP_NET_RAW is missing, or the address family AF_PACKET is not allowed.
    static func captureForbidden(_ interface: String, _ reason: String) -> PluginError {
        PluginError(
            "SND-PCP002",
            .configuration,
            "capturing on '\(interface)' needs CAP_NET_RAW and AF_PACKET, which the agent may not use (\(reason))",
            hint: "Let 'systemctl edit sonde' add, a line each: [Service] AmbientCapabilities=CAP_NET_RAW "
                + "CapabilityBoundingSet=CAP_NET_RAW RestrictAddressFamilies=AF_PACKET; or run it under "
                + "'setpriv --inh-caps +net_raw --ambient-caps +net_raw'."
        )
    }

    /// No interface of that name.
    static func interfaceAbsent(_ name: String) -> PluginError {
        PluginError(
            "SND-PCP003",
            .transient,
            "there is no interface '\(name)'",
            hint: "'ip link' shows the interfaces; capture starts by itself when this one is there.",
            optionPath: "interface"
        )
    }

    /// Switched off.
    static func interfaceDown(_ name: String) -> PluginError {
        PluginError(
            "SND-PCP004",
            .transient,
            "interface '\(name)' is switched off",
            hint: "Switch it on: 'ip link set \(name) up'; capture then continues by itself."
        )
    }

    /// The device that was captured on has another name now, or another device has its name.
    static func interfaceRenamed(_ name: String, _ now: String?) -> PluginError {
        PluginError(
            "SND-PCP005",
            .transient,
            now.map { "interface '\(name)' is called '\($0)' now" }
                ?? "interface '\(name)' was replaced by another one",
            hint: "Name the interface as it is called now; one called '\(name)' is opened when it is there."
        )
    }

    /// An interface that was not there when the source was started, or not of this kind.
    static func freshStartNeeded(_ name: String) -> PluginError {
        PluginError(
            freshStartCode,
            .transient,
            "interface '\(name)' is there now, and only a fresh start can open it",
            hint: "It is started again by itself; flows and DNS transactions of before are not continued."
        )
    }

    private static let freshStartCode = "SND-PCP012"

    /// Whether it ends when everything is opened again.
    var needsFreshStart: Bool { code == Self.freshStartCode }

    /// libpcap's own message.
    static func captureFailed(_ interface: String, _ reason: String) -> PluginError {
        PluginError(
            "SND-PCP007",
            .resource,
            "capturing on '\(interface)' failed: \(reason)",
            hint: "It is tried again by itself; if memory is short, make buffer_size smaller."
        )
    }

    /// `any`, and no uplink.
    static let noUplink = PluginError(
        "SND-PCP008",
        .transient,
        "interface is 'any', and this host has no uplink",
        hint: "Name the interface to capture on, or the devices that count in uplinks.",
        optionPath: "interface"
    )

    /// The list of links was never complete, and what is to be captured on was not in it.
    static let linksChanging = PluginError(
        "SND-PCP009",
        .transient,
        "the list of interfaces changes faster than it can be read",
        hint: "It is tried again by itself. Look what makes and removes interfaces all the time: 'ip monitor link'."
    )

    /// Netlink refused.
    static func linksUnreadable(_ number: Int32) -> PluginError {
        PluginError(
            "SND-PCP009",
            .resource,
            "the list of interfaces cannot be read: \(String(cString: strerror(number)))",
            hint: "The service must allow RestrictAddressFamilies=AF_NETLINK."
        )
    }
}
