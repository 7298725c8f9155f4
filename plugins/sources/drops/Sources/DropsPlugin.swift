public import CSondePlugin
internal import SondeDomain
internal import SondePluginKit

extension DropsSource {
    /// Made again at each call, so that the lists are not kept in memory.
    static var descriptor: PluginDescriptor {
        PluginDescriptor(
            name: "drops",
            kind: .source,
            version: "1.0.0",
            summary:
                "Counts why the kernel drops packets, and TCP's retransmissions, resets and handshakes, at tracepoints.",
            stability: .experimental,
            needs: [
                "CAP_BPF and CAP_PERFMON, until it has started", "tracefs that the agent may read",
                "Linux 5.17 for reasons of drops",
            ],
            unit: [
                "CapabilityBoundingSet=CAP_BPF CAP_PERFMON", "AmbientCapabilities=CAP_BPF CAP_PERFMON",
                "SystemCallFilter=bpf perf_event_open",
                "ExecStartPre=+/bin/sh -c 'mount -o remount,gid=$$(id -g sonde),mode=0750 /sys/kernel/tracing'",
            ],
            options: options,
            metrics: DropMetrics.all,
            errors: errors,
            sees: [.kernel]
        )
    }

    private static var options: [OptionDefinition] {
        let switches = [
            ("drops", "Whether to count dropped packets by reason (skb:kfree_skb)."),
            ("retransmissions", "Whether to count TCP segments sent again (tcp:tcp_retransmit_skb)."),
            ("resets_sent", "Whether to count TCP resets sent (tcp:tcp_send_reset)."),
            ("resets_received", "Whether to count TCP resets received (tcp:tcp_receive_reset)."),
            ("handshakes", "Whether to count how TCP connections begin (sock:inet_sock_set_state)."),
        ]
        return switches.map { OptionDefinition($0, .bool, default: "true", help: $1) } + [
            OptionDefinition(
                "tracing", .string, default: "/sys/kernel/tracing", help: "Where tracefs is mounted.",
                example: "/sys/kernel/debug/tracing")
        ]
    }

    private static var errors: [PluginDescriptor.ErrorDefinition] {
        [
            .init(
                "SND-DRP001",
                meaning: "An option has a value that cannot be used.",
                recovery: "Correct the option that the message names."
            ),
            .init(
                "SND-DRP002",
                meaning: "There is no tracefs, from which the kernel's tracepoints are learned.",
                recovery: "Mount it: mount -t tracefs nodev /sys/kernel/tracing."
            ),
            .init(
                "SND-DRP003",
                meaning: "The agent may not read tracefs.",
                recovery: "Let its group read it, as the message says."
            ),
            .init(
                "SND-DRP004",
                meaning: "The kernel lacks a tracepoint, or a field of it.",
                recovery: "Boot a newer kernel, or switch that tracepoint off; the others are counted."
            ),
            .init(
                "SND-DRP005",
                meaning: "The agent may not load BPF programs.",
                recovery:
                    "Give it CAP_BPF and CAP_PERFMON and let it call bpf; the message names what stands in the way."
            ),
            .init(
                "SND-DRP006",
                meaning: "The agent may not open events of the kernel.",
                recovery: "Give it CAP_PERFMON and let it call perf_event_open."
            ),
            .init(
                "SND-DRP007",
                meaning: "The kernel refuses a program of this source.",
                recovery: "Report it with the kernel's release; switching that tracepoint off does without."
            ),
            .init(
                "SND-DRP008",
                meaning: "The description of a tracepoint cannot be read.",
                recovery: "Report it with that text; the other tracepoints are counted."
            ),
            .init(
                "SND-DRP009",
                meaning: "Memory, locked memory or descriptors are short.",
                recovery: "It is tried again by itself; look at the unit's limits if it lasts."
            ),
            .init(
                "SND-DRP010",
                meaning: "The agent took no samples for one interval.",
                recovery: "Look at the sinks and the spool; counters catch up at the next interval."
            ),
        ]
    }
}

/// It needs privileges to load its programs and none to read what they count: it is confined once they run
/// (`SONDE_PLUGIN_CONFINED` of the contract).
@section("sonde_confined") @used
let confinement: UInt32 = 1

// The contract gives the symbol its name.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The entry that the daemon looks for in `drops.so`.
@c(sonde_plugin_drops)
public func sonde_plugin_drops() -> UnsafePointer<sonde_plugin> { exportPlugin(DropsSource.self) }
