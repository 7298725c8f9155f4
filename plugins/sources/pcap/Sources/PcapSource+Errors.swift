internal import SondeDomain

extension PcapSource {
    /// What can go wrong.
    static var errors: [PluginDescriptor.ErrorDefinition] { captureErrors + fileErrors }

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
                recovery: "Switch it on: ip link set NAME up; capture then continues by itself."
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
            .init(
                "SND-PCP011",
                meaning: "The memory that flow_table asks for cannot be had.",
                recovery: "Make flow_table smaller; meanwhile the table is as large as it can be."
            ),
            .init(
                "SND-PCP012",
                meaning: "An interface is there now that was not when the capture began, or that was of another kind.",
                recovery: "Nothing: the source is started again by itself and opens it."
            ),
        ]
    }

    private static var fileErrors: [PluginDescriptor.ErrorDefinition] {
        [
            .init(
                "SND-PCP020",
                meaning: "The file is no capture file.",
                recovery: "Name a pcap or pcapng file, plain or in gzip."
            ),
            .init(
                "SND-PCP021",
                meaning: "The capture file breaks off in the middle of a packet.",
                recovery: "The report has what comes before; capture again, or copy the whole file."
            ),
            .init(
                "SND-PCP022",
                meaning: "The capture file is damaged: a length or a block cannot be right.",
                recovery: "The report has what comes before the byte that the message names."
            ),
            .init(
                "SND-PCP023",
                meaning: "The capture file has packets of a link type that cannot be decoded.",
                recovery: "Capture on the interface itself, or on any; the message names the link type."
            ),
            .init(
                "SND-PCP024",
                meaning: "The gzip data of the capture file is damaged or breaks off.",
                recovery: "The report has what could be unpacked; copy the whole file again."
            ),
            .init(
                "SND-PCP025",
                meaning: "The system refused to read the capture file.",
                recovery: "Look at the message; the report has what comes before."
            ),
            .init(
                "SND-PCP026",
                meaning: "The capture file has a version that is not known.",
                recovery: "Convert it with a newer program, to pcapng 1.0 for instance."
            ),
            .init(
                "SND-PCP027",
                meaning: "The capture file has more flows or DNS transactions than are kept at a time.",
                recovery: "Split the file, with editcap -c for instance; all other counts are exact."
            ),
        ]
    }
}
