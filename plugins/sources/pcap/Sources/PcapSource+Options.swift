internal import SondeDomain

extension PcapSource {
    /// The options of the configuration.
    static var options: [OptionDefinition] { captureOptions + flowOptions + dnsOptions + topOptions }

    private static var captureOptions: [OptionDefinition] {
        [
            OptionDefinition(
                "interface",
                .string,
                default: "any",
                help: "The interface to capture on; any means every uplink of the host.",
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
                help: "How many bytes of each packet to keep; more is needed to see long DNS messages over UDP whole."
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
            OptionDefinition(
                "cpu_budget",
                .double(0.01...100),
                help:
                    "What reading may take of one core, in percent; beyond it packets are dropped and counted. All of it "
                    + "when not set.",
                example: "20"
            ),
        ]
    }

    private static var flowOptions: [OptionDefinition] {
        [
            OptionDefinition(
                "flows",
                .bool,
                default: "true",
                help: "Whether to follow flows and the health of TCP.",
                saving: .init(.flows, "false")
            ),
            OptionDefinition(
                "flow_table",
                .size(65_536...17_179_869_184),
                default: "64MiB",
                help: "Memory for flows; 64 MiB hold about 380,000. When it is full the least useful flow is evicted."
            ),
            OptionDefinition(
                "flow_idle_timeout",
                .duration(.seconds(1) ... .seconds(3600)),
                default: "60s",
                help: "After how long without a packet a flow ends; an open TCP connection after five times as long."
            ),
            OptionDefinition(
                "flow_active_timeout",
                .duration(.seconds(1) ... .seconds(3600)),
                default: "30m",
                help: "After how long a flow is counted as ended and continues as another one."
            ),
        ]
    }

    private static var dnsOptions: [OptionDefinition] {
        [
            OptionDefinition("dns", .bool, default: "true", help: "Whether to follow DNS over UDP and TCP."),
            OptionDefinition(
                "dns_ports",
                .list,
                default: "[53]",
                help: "The ports of DNS servers; mDNS (5353) and LLMNR (5355) are always counted, apart.",
                example: "[53, 5300]"
            ),
            OptionDefinition(
                "dns_timeout",
                .duration(.milliseconds(100) ... .seconds(30)),
                default: "5s",
                help: "After how long a query without an answer counts as unanswered."
            ),
        ]
    }

    private static var topOptions: [OptionDefinition] {
        [
            OptionDefinition(
                "top",
                .integer(0...250),
                default: "20",
                help: "How many peers, services, conversations, names and clients are reported one by one; 0 for none.",
                saving: .init(.names, "0")
            ),
            OptionDefinition(
                "privacy",
                .choice(["full", "hashed", "domain", "none"]),
                default: "full",
                help:
                    "How much of names and addresses is reported: as they are, hashed, two labels and networks, or nothing."
            ),
        ]
    }
}
