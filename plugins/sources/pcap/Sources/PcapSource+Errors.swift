internal import SondeDomain

extension PcapSource {
    /// What can go wrong.
    static var errors: [PluginDescriptor.ErrorDefinition] { captureErrors }

    private static var captureErrors: [PluginDescriptor.ErrorDefinition] {
        [
            .init(
                "SND-PCP001",
                meaning: "An option has a value that cannot be used.",
                recovery: "Correct the option that the message names."
            ),
            .init(
                "SND-PCP002",
                meaning: "The agent may not capture packets.",
                recovery: "Give it CAP_NET_RAW; the message has the exact lines."
            ),
            .init(
                "SND-PCP003",
                meaning: "There is no interface of that name, or it was removed.",
                recovery: "Correct the option interface; capture starts by itself when the interface is there."
            ),
            .init(
                "SND-PCP004",
                meaning: "The interface is switched off.",
                recovery: "Switch it on: ip link set NAME up; capture then goes on by itself."
            ),
            .init(
                "SND-PCP005",
                meaning: "The interface was renamed, or another one took its name.",
                recovery:
                    "Name the interface as it is called now; one of the configured name is opened when it is there."
            ),
            .init(
                "SND-PCP006",
                meaning: "The filter cannot be compiled or installed.",
                recovery: "Write it as pcap-filter(7) describes; tcpdump -d FILTER tests it."
            ),
            .init(
                "SND-PCP007",
                meaning: "libpcap or the kernel refused to capture or stopped capturing.",
                recovery: "It is tried again by itself; look into the kernel's log if it lasts."
            ),
            .init(
                "SND-PCP008",
                meaning: "The interface is any, and no uplink was found.",
                recovery: "Name the interface to capture on, or the devices that count in uplinks."
            ),
            .init(
                "SND-PCP009",
                meaning: "The list of interfaces cannot be read from the kernel.",
                recovery: "Allow the address family AF_NETLINK, and look whether memory is short."
            ),
            .init(
                "SND-PCP010",
                meaning: "The agent took no samples for one interval.",
                recovery: "Look at the sinks and the spool; counters catch up at the next interval."
            ),
        ]
    }
}
