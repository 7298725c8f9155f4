internal import SondeDomain

extension PcapSource {
    /// What the configuration may say.
    static var options: [OptionDefinition] { captureOptions }

    private static var captureOptions: [OptionDefinition] {
        [
            OptionDefinition(
                "interface",
                .string,
                default: "any",
                help: "The interface to capture on; any stands for every uplink of the host.",
                example: "eth0"
            ),
            OptionDefinition(
                "interfaces",
                .list,
                help: "Several interfaces to capture on, in place of interface.",
                example: "[eth0, eth1]"
            ),
            OptionDefinition(
                "uplinks",
                .list,
                help: "With interface any: the devices that count as uplinks; chosen by themselves when not set.",
                example: "[bond0]"
            ),
            OptionDefinition(
                "filter",
                .string,
                help: "Which packets to capture, in the language of pcap-filter(7); all when not set.",
                example: "port 53"
            ),
            OptionDefinition(
                "snaplen",
                .size(64...262_144),
                default: "256",
                help: "How many bytes of each packet to keep; more is needed to see long DNS messages whole."
            ),
            OptionDefinition(
                "promiscuous",
                .bool,
                default: "true",
                help: "Whether to see frames that are addressed to other hosts; never with interface any."
            ),
            OptionDefinition(
                "buffer_size",
                .size(262_144...2_147_483_647),
                default: "32MiB",
                help: "Memory in which the kernel keeps packets until they are read, per interface."
            ),
        ]
    }
}
