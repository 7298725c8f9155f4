/// When a metric is bad, and what it says then: the words of docs/guide/metrics.md.
///
/// One table, as long as the guide's.
public struct MetricAdvice: Hashable, Sendable {
    /// The metrics that it is about.
    public let metrics: [String]
    /// The values of an attribute, or the attribute, that it is about; empty: all of their series.
    public let members: [String]
    /// What it says, in a phrase.
    public let meaning: String
    /// When it is bad, and what that means.
    public let badWhen: String

    private init(_ metrics: [String], of members: [String] = [], _ meaning: String, bad badWhen: String) {
        self.metrics = metrics
        self.members = members
        self.meaning = meaning
        self.badWhen = badWhen
    }

    /// What is said of a metric, or of one member of it.
    public static func about(_ metric: String, member: String? = nil) -> [MetricAdvice] {
        all.filter { advice in
            guard advice.metrics.contains(metric) else { return false }
            guard let member, !advice.members.isEmpty else { return true }
            return advice.members.contains { $0.lowercased() == member.lowercased() }
        }
    }

    /// All of it, in the order of the guide; made again at each call, so that it is not kept in memory.
    public static var all: [MetricAdvice] { agent + kernel + packets + dns }

    // The agent itself.
    private static var agent: [MetricAdvice] {
        [
            MetricAdvice(
                ["sonde.agent.uptime"], "how long the agent has been running",
                bad: """
                    it is absent: the agent, or the way to you, is down; unless the last sonde.agent.stopping was 1
                    """),
            MetricAdvice(
                ["sonde.agent.configuration.hash"], "which configuration is in force",
                bad: "hosts that should have one configuration have several"),
            MetricAdvice(
                ["sonde.agent.cpu.time", "sonde.agent.memory.usage"], "what the agent costs",
                bad: "memory grows for days"),
            MetricAdvice(
                ["sonde.agent.schedule.lag"], "how late collections begin",
                bad: "over a tenth of the interval: the host is overloaded"),
            MetricAdvice(
                ["sonde.agent.trouble"], "parts of the agent that do not work: its disk, its history, its clock",
                bad: "it is there"),
            MetricAdvice(
                ["sonde.agent.remote.state", "sonde.agent.remote.serial"], "which remote configuration is in force",
                bad: "rolled_back or ignored; hosts that should have one serial have several"),
            MetricAdvice(
                ["sonde.agent.remote.lag"], "when the server of the remote configuration last had one, or nothing new",
                bad: "over a few of agent.remote.interval"),
            MetricAdvice(
                ["sonde.agent.remote.request.count"], "requests for the remote configuration",
                bad: "refused or failed rise; sonde status says why"),
            MetricAdvice(
                ["sonde.agent.limit.level"], "how many steps the agent saves to stay within agent.limits",
                bad: "over 0 for hours: raise them, or configure less"),
            MetricAdvice(["sonde.agent.limit.utilization"], "what is used of agent.limits", bad: "over 1 for minutes"),
            MetricAdvice(
                ["sonde.source.up"], "the source does what it should",
                bad: "0 for minutes; sonde.source.error.count has the code"),
            MetricAdvice(["sonde.source.lag"], "when it last brought something", bad: "over three intervals"),
            MetricAdvice(
                ["sonde.source.sample.left_out"], "samples that could not be taken",
                bad: "it rises: a defect of the plugin"),
            MetricAdvice(["sonde.source.trouble"], "parts that do not work while the rest goes on", bad: "it is there"),
            MetricAdvice(["sonde.sink.up"], "the sink does what it should", bad: "0 for minutes"),
            MetricAdvice(
                ["sonde.sink.queue.age"], "how far behind the receiver is",
                bad: "over a few minutes; near spool.max_age points will be lost"),
            MetricAdvice(
                ["sonde.sink.point.failed"], "points that were refused permanently",
                bad: "it rises: sonde spool list shows what is kept"),
            MetricAdvice(["sonde.loss.report.count"], "losses, by component and reason", bad: "it rises at all"),
            MetricAdvice(
                ["sonde.source.input.skipped"], "lines of the kernel's files that were left out",
                bad: "it is there: a kernel that writes them otherwise; report it"),
        ]
    }

    // Interfaces, protocols, sockets and queues.
    private static var kernel: [MetricAdvice] {
        [
            MetricAdvice(
                ["system.network.io"], "bytes per interface and direction",
                bad: "its rate nears sonde.network.interface.speed"),
            MetricAdvice(
                ["system.network.packet.count"], "packets per interface and direction",
                bad: "its rate jumps while the bytes do not: many small packets, of a scan or a flood"),
            MetricAdvice(
                ["sonde.network.interface.utilization"], "the rate as a share of the speed", bad: "over 0.9 for minutes"
            ),
            MetricAdvice(
                ["sonde.network.interface.rate.peak"], "the highest rate of a tenth of a second",
                bad: "it is at the speed while the average is low: bursts that fill queues"),
            MetricAdvice(
                ["system.network.packet.dropped"], "packets that the host threw away",
                bad: "it rises by more than one in a thousand packets"),
            MetricAdvice(
                ["sonde.network.interface.missed"], "of these, the ones that the card had no room for",
                bad: "it rises at all: the host takes packets too slowly"),
            MetricAdvice(
                ["sonde.network.interface.no_handler"], "packets on an inactive member of a bond",
                bad: "never: the other member has them too"),
            MetricAdvice(
                ["system.network.errors"], "what the driver counts as errors",
                bad: "it rises by more than one in a thousand packets"),
            MetricAdvice(
                ["sonde.network.interface.crc_error"], "frames that came damaged",
                bad: "it rises at all: a cable, a connector, a transceiver"),
            MetricAdvice(
                ["sonde.network.interface.collision"], "collisions",
                bad: "it rises on a switched network: one side is set to half duplex"),
            MetricAdvice(
                ["sonde.network.interface.up"], "switched on, with a carrier",
                bad: "0 on an interface that should be in use"),
            MetricAdvice(
                ["sonde.network.interface.carrier_change"], "how often the carrier came or went",
                bad: "it rises by two again and again: a link that flaps"),
            MetricAdvice(
                ["sonde.network.interface.counter_event"], "counters that began again",
                bad: "reset with the cause driver: the driver or the card restarted"),
            MetricAdvice(
                ["sonde.network.interface.speed"], "the speed that the link has agreed on",
                bad: "it is below what the port can: a cable, or a side that does not negotiate"),
            MetricAdvice(
                ["sonde.network.interface.info"], "what an interface is, 1 always",
                bad: "never by itself; the duplex half on a switched network"),
            MetricAdvice(
                ["sonde.network.host.io", "sonde.network.host.packet.count"], "what all uplinks carried together",
                bad: "it leaves what is usual for the hour"),
            MetricAdvice(
                ["sonde.network.host.rate.peak"], "the highest rate of a tenth of a second of all uplinks",
                bad: "it is at their speed while the average is low: bursts that fill queues"),
            MetricAdvice(
                ["sonde.network.uplink"], "the interfaces that the host's total is made of",
                bad: "one that carries the traffic is missing: name it in uplinks"),
            MetricAdvice(
                ["sonde.network.namespace"], "the network namespace that all of it is about",
                bad: "it is not the one that you mean: a container's"),
            MetricAdvice(
                ["sonde.tcp.segment.retransmitted"], "segments sent again",
                bad: """
                    over one in a hundred of sonde.tcp.segment.count sent, for minutes: packets get lost or a path \
                    is full; single peaks are normal on a quiet host
                    """),
            MetricAdvice(
                ["sonde.tcp.connection.reset"], "connections that were reset",
                bad: """
                    its share of sonde.tcp.connection.opened leaves what is normal for the service; some clients end \
                    every connection that way
                    """),
            MetricAdvice(
                ["sonde.tcp.connection.failed"], "connections that never opened",
                bad: "it rises steadily: a peer is down or a firewall drops"),
            MetricAdvice(
                ["sonde.tcp.listen.overflow"], "connections lost because an accept queue was full",
                bad: "it rises at all: the service accepts too slowly, or its backlog is too short"),
            MetricAdvice(
                ["sonde.tcp.syn_cookie.sent"], "connections answered with SYN cookies",
                bad: "it rises: a flood of SYNs, or a backlog that is too short"),
            MetricAdvice(
                ["sonde.tcp.connection.aborted_on_memory"], "connections aborted for lack of memory",
                bad: "it rises at all: too many orphans, or tcp_mem is too small"),
            MetricAdvice(
                ["sonde.udp.datagram.error"], of: ["rcvbuf"], "datagrams lost in full receive buffers",
                bad: """
                    over one in a thousand of sonde.udp.datagram.count received: the service reads too slowly; \
                    sonde.udp.socket.drop says on which port
                    """),
            MetricAdvice(
                ["sonde.udp.datagram.error"], "datagrams lost, by reason",
                bad: "no_port in numbers: a client sends to a service that is gone"),
            MetricAdvice(
                ["sonde.ip.packet.discarded"], "sound packets that were dropped",
                bad: "it rises at all: out of memory, or out of a queue"),
            MetricAdvice(
                ["sonde.ip.fragment.reassembly_failed"], "packets whose fragments did not all come",
                bad: "it rises: an MTU on the way is too small, or an attack"),
            MetricAdvice(
                ["sonde.icmp.message.count"], "ICMP messages by type",
                bad: """
                    destination_unreachable and time_exceeded jump: routes are missing or form a loop
                    """),
            MetricAdvice(
                ["sonde.tcp.segment.count", "sonde.udp.datagram.count"], "segments and datagrams by direction",
                bad: "it leaves what is usual for the hour; the others are set against it"),
            MetricAdvice(
                ["sonde.tcp.connection.opened"], "connections that were opened, by this host and by others",
                bad: "it jumps: a client that does not reuse connections, or a flood"),
            MetricAdvice(
                ["sonde.tcp.segment.error"], "segments received in error",
                bad: "it rises: wrong checksums, from bad hardware or a device on the way"),
            MetricAdvice(
                ["sonde.tcp.syn.retransmitted"], "requests of connections and their answers sent again",
                bad: "it rises: the other end does not answer, or a firewall drops without a word"),
            MetricAdvice(
                ["sonde.tcp.timeout"], "timers that fired because nothing was acknowledged",
                bad: """
                    it rises with segments sent again: the path loses packets in a row, or the other end is gone
                    """),
            MetricAdvice(
                ["sonde.tcp.reset.sent"], "resets that this host sent",
                bad: """
                    it rises: clients connect to ports where no program listens, or programs close with data unread
                    """),
            MetricAdvice(
                ["sonde.tcp.listen.drop"], "connections that listeners dropped, for any reason",
                bad: "it rises without overflows: out of memory, or a route that is missing"),
            MetricAdvice(
                ["sonde.tcp.request_queue.drop"], "requests dropped because the queue of requests was full",
                bad: """
                    it rises at all: a flood of SYNs; switch net.ipv4.tcp_syncookies on, or raise \
                    net.ipv4.tcp_max_syn_backlog
                    """),
            MetricAdvice(
                ["sonde.tcp.receive_queue.drop"], "segments dropped because the receive queue was full",
                bad: "it rises: a program does not read, or net.ipv4.tcp_rmem is too small"),
            MetricAdvice(
                ["sonde.tcp.memory.pressure"], "how often TCP came under memory pressure",
                bad: """
                    it rises at all: net.ipv4.tcp_mem is too small for the number of connections, or programs do not \
                    read
                    """),
            MetricAdvice(
                ["sonde.ip.packet.no_route"], "packets without a route",
                bad: "it rises: a route is missing, or packets come for a network that is not here"),
            MetricAdvice(
                ["sonde.icmp.message.error"], "ICMP messages in error",
                bad: "it rises: damaged packets, or an attacker who makes them"),
            MetricAdvice(["system.network.connections"], "sockets by protocol, family and state", bad: "see below"),
            MetricAdvice(
                ["sonde.tcp.listener.queue.utilization"], "how full the fullest accept queue of a port is",
                bad: "over 0.5: at 1 connections are dropped"),
            MetricAdvice(["sonde.tcp.listener.drop"], "what the listeners of a port dropped", bad: "it rises at all"),
            MetricAdvice(
                ["sonde.udp.socket.drop"], "datagrams that the sockets of a port dropped", bad: "it rises at all"),
            MetricAdvice(
                ["sonde.udp.socket.queue"], "memory of datagrams that wait on a port",
                bad: "it is near net.core.rmem_default: the next ones are dropped"),
            MetricAdvice(
                ["sonde.tcp.socket.orphan"], "sockets without a process", bad: "it nears net.ipv4.tcp_max_orphans"),
            MetricAdvice(
                ["sonde.tcp.memory.usage"], "memory of all TCP sockets of the host",
                bad: "it nears the second number of net.ipv4.tcp_mem, which is in pages"),
            MetricAdvice(
                ["sonde.udp.memory.usage"], "memory of all UDP sockets of the host",
                bad: "it nears the second number of net.ipv4.udp_mem, which is in pages"),
            MetricAdvice(
                ["sonde.socket.current"], "sockets of every kind",
                bad: "it grows for hours: a program does not close what it opens"),
            MetricAdvice(
                ["sonde.source.walk.period"], "how far apart the counts of states are at least",
                bad: "it is 60 and that is too rare: raise cpu_budget"),
            MetricAdvice(
                ["sonde.softnet.packet.dropped"], "packets dropped before the network stack",
                bad: "it rises at all: raise net.core.netdev_max_backlog, or spread the interrupts"),
            MetricAdvice(
                ["sonde.softnet.squeezed"], "the stack ran out of its time slice",
                bad: "it rises with every interval: the processors do not keep up"),
            MetricAdvice(
                ["sonde.softnet.packet.processed"], "packets that the network stack has taken from the cards",
                bad: "it leaves what is usual for the hour; what is dropped is set against it"),
            MetricAdvice(
                ["sonde.conntrack.entry.utilization"], "how full the table of tracked connections is",
                bad: "over 0.75: when it is full new connections are dropped"),
            MetricAdvice(
                ["sonde.conntrack.event.drop"], "packets dropped for lack of an entry", bad: "it rises at all"),
            MetricAdvice(
                ["sonde.conntrack.entry.current", "sonde.conntrack.entry.limit"],
                "connections that are tracked, and how many can be",
                bad: """
                    the first nears the second: raise net.netfilter.nf_conntrack_max, or find what opens so many
                    """),
            MetricAdvice(
                ["sonde.conntrack.event.early_drop"], "entries dropped to make room for new ones",
                bad: "it rises at all: the table is full"),
            MetricAdvice(
                ["sonde.conntrack.event.insert_failed"], "entries for which there was one already",
                bad: """
                    it rises: two processors saw the same connection at once, DNS clients that ask twice from one \
                    port mostly
                    """),
            MetricAdvice(
                ["sonde.neighbour.current"], "neighbours by state",
                bad: "failed or incomplete in numbers: a scan, or hosts that are gone"),
            MetricAdvice(
                ["sonde.neighbour.event.table_fulls"], "neighbours refused because the table was full",
                bad: "it rises at all: raise net.ipv4.neigh.default.gc_thresh3"),
            MetricAdvice(
                ["sonde.qdisc.packet.dropped"], "packets dropped by an interface's queue",
                bad: "it rises by more than one in a thousand packets"),
            MetricAdvice(
                ["sonde.qdisc.queue.backlog"], "bytes that wait to be sent", bad: "it stays: the link is full"),
            MetricAdvice(["sonde.wireless.signal"], "level of the signal in dBm", bad: "below -75"),
        ]
    }

    // Packets, and why they are dropped.
    private static var packets: [MetricAdvice] {
        [
            MetricAdvice(
                ["sonde.capture.packet.dropped"], "packets that the kernel dropped before they were read",
                bad: """
                    it rises at all: every other number is too low; set against sonde.capture.packet.count it is a \
                    share
                    """),
            MetricAdvice(
                ["sonde.capture.active"], "whether the interface is captured on", bad: "0: its traffic is unknown"),
            MetricAdvice(
                ["sonde.capture.packet.count", "sonde.capture.io"], "what was captured",
                bad: "it stands still while the interface carries something"),
            MetricAdvice(
                ["sonde.capture.packet.interface_dropped"], "packets that the interface dropped while capturing",
                bad: "it rises at all: every other number is too low"),
            MetricAdvice(
                ["sonde.capture.received.io", "sonde.capture.received.count"],
                "the same traffic, counted by the capture and by the kernel",
                bad: "both differ by more than one in a hundred: drops, or a filter"),
            MetricAdvice(
                ["sonde.capture.filtered"], "whether a filter leaves packets out", bad: "1 where you expect all traffic"
            ),
            MetricAdvice(
                ["sonde.flow.io"], "bytes by direction, family, transport and application",
                bad: "forwarded on a host that is no router: it sees the traffic of others"),
            MetricAdvice(
                ["sonde.flow.packet.count", "sonde.flow.tcp.segment.count"], "packets and segments of flows",
                bad: "it jumps while the bytes do not: many small packets"),
            MetricAdvice(
                ["sonde.flow.unassigned.count"], "packets of no flow",
                bad: "its share rises: something that is not IP, or broken headers"),
            MetricAdvice(
                ["sonde.flow.started", "sonde.flow.active"], "flows that began, and those in the table",
                bad: """
                    it jumps: a scan, or a client that opens a connection for everything; near flow_table flows are \
                    evicted
                    """),
            MetricAdvice(
                ["sonde.flow.ended"], of: ["evicted"], "flows evicted because the table was full",
                bad: "it rises: flow_table is too small, or a scan is under way"),
            MetricAdvice(
                ["sonde.flow.tcp.handshake.duration"], "how long connections take to open",
                bad: "p95 over twice its usual value: the way is longer, or packets are lost on it"),
            MetricAdvice(
                ["sonde.flow.tcp.retransmission.count"], "segments sent again",
                bad: "over one in a hundred of sonde.flow.tcp.segment.count"),
            MetricAdvice(
                ["sonde.flow.tcp.out_of_order.count"], "segments that others have overtaken",
                bad: """
                    over one in a hundred: paths of different length are mixed, or segments were lost and sent again
                    """),
            MetricAdvice(
                ["sonde.flow.tcp.zero_window.count"], "segments whose sender takes no more data",
                bad: "it rises: a program does not read what it gets"),
            MetricAdvice(
                ["sonde.flow.tcp.flag.count"], of: ["rst"], "connections that were cut off",
                bad: "it rises with syn: a service is not there"),
            MetricAdvice(
                ["sonde.frame.malformed.count"], "frames with a broken header",
                bad: "it rises: a broken device, or an attack"),
            MetricAdvice(
                ["sonde.drop.packet.count"], of: ["socket_rcvbuff"],
                "datagrams for a program that does not read fast enough", bad: "it rises at all"),
            MetricAdvice(
                ["sonde.drop.packet.count"], of: ["netfilter_drop", "ip_rpfilter"],
                "refused by a rule or by the reverse path filter",
                bad: "it rises where nobody scans: a rule is wrong, or routes are asymmetric"),
            MetricAdvice(
                ["sonde.drop.packet.count"], of: ["qdisc_drop", "full_ring", "cpu_backlog"], "a queue was full",
                bad: "it rises by more than one in a thousand packets"),
            MetricAdvice(
                ["sonde.drop.packet.count"], of: ["neigh_failed"], "the next hop does not answer",
                bad: "it rises: a host is down, or a scan"),
            MetricAdvice(
                ["sonde.trace.tcp.handshake.count"], of: ["failed"], "connections that were refused or timed out",
                bad: "over one in a hundred of those that were established"),
            MetricAdvice(
                ["sonde.trace.tcp.reset.sent"], of: ["no_socket"], "connections to ports that no program listens on",
                bad: "it rises where nobody scans: a service has ended"),
            MetricAdvice(
                ["sonde.trace.tcp.reset.received"], "connections of this host that were reset",
                bad: """
                    it rises with failed handshakes: a service elsewhere is not there; else the other end gives up
                    """),
        ]
    }

    // DNS on the wire and in logs.
    private static var dns: [MetricAdvice] {
        [
            MetricAdvice(
                ["sonde.dns.wire.query.unanswered"], "questions without an answer within dns_timeout",
                bad: "over one in a hundred of sonde.dns.wire.query.count"),
            MetricAdvice(
                ["sonde.dns.wire.response.duration"], "from the first query to the answer",
                bad: "p95 of client over 100 ms, of a caching server over 10 ms"),
            MetricAdvice(
                ["sonde.dns.wire.response.count"], of: ["SERVFAIL", "REFUSED"], "answers that say that there is none",
                bad: "over one in a hundred"),
            MetricAdvice(
                ["sonde.dns.wire.response.count"], of: ["NXDOMAIN"], "names that do not exist",
                bad: """
                    it jumps: a search list, a program with a typing error, or malware that tries names
                    """),
            MetricAdvice(
                ["sonde.dns.wire.query.repeated"], "queries that were sent again",
                bad: "it rises with unanswered: packets are lost"),
            MetricAdvice(
                ["sonde.dns.wire.response.unsolicited"], "answers to nothing that was asked",
                bad: "it rises: spoofing, or queries take another way than answers"),
            MetricAdvice(
                ["sonde.dns.wire.message.malformed"], "messages that do not decode",
                bad: "it rises: something else uses the port, or an attack"),
            MetricAdvice(
                ["sonde.dns.wire.query.count", "sonde.dns.wire.query.io", "sonde.dns.wire.response.io"],
                "queries, and the bytes of both directions",
                bad: """
                    it jumps: a program that asks in a loop, or an attack; responses much larger than queries are \
                    amplification
                    """),
            MetricAdvice(
                ["sonde.dns.wire.query.answered"], "questions that got an answer in time",
                bad: "it falls behind sonde.dns.wire.query.count"),
            MetricAdvice(
                ["sonde.dns.wire.query.evicted"], "questions whose outcome is unknown because the table was full",
                bad: "it rises: more than 65,536 wait for an answer, a flood mostly"),
            MetricAdvice(
                ["sonde.dns.wire.response.repeated"], "answers that came twice",
                bad: "it rises: packets are duplicated on the way, or captured twice"),
            MetricAdvice(
                ["sonde.dns.wire.response.late"], "answers after dns_timeout", bad: "it rises: the server is slow"),
            MetricAdvice(
                ["sonde.dns.wire.message.unreadable"], "messages that were cut before their flags",
                bad: "it rises: snaplen is too small"),
            MetricAdvice(
                ["sonde.dns.resolver.failure.count"], "what the option failures calls a failure, by reason",
                bad: "over one in a hundred of sonde.dns.resolver.query.count"),
            MetricAdvice(
                ["sonde.dns.resolver.query.unanswered"], "questions that the log has no answer to within timeout",
                bad: "it rises: the resolver is slow, or its upstreams are"),
            MetricAdvice(
                ["sonde.dns.resolver.response.count"], of: ["sonde.dns.class"], "success, denial, error",
                bad: "the share of error rises"),
            MetricAdvice(
                ["sonde.dns.resolver.response.duration"], "how long answers took, as logged by the resolver",
                bad: "p95 of what is not cached over 200 ms"),
            MetricAdvice(
                ["sonde.dns.resolver.upstream.failure.count"], "answers and missing answers of upstreams",
                bad: "one upstream stands out"),
            MetricAdvice(
                ["sonde.dns.log.line.unparsed"], "lines in no form of the resolver",
                bad: """
                    it rises: another format, a new version, or a verbosity that mixes in other lines
                    """),
            MetricAdvice(
                ["sonde.dns.log.line.count", "sonde.dns.log.io"], "what was read of the log",
                bad: """
                    it stands still while the resolver works: the log went elsewhere, or is not written
                    """),
            MetricAdvice(
                ["sonde.dns.log.line.undecided"], "lines before the first one that identified the format",
                bad: "it rises: the format is none of those that are known; name it"),
            MetricAdvice(
                ["sonde.dns.log.line.skipped"], "lines that were too long",
                bad: "it rises at all: those queries are not counted"),
            MetricAdvice(
                ["sonde.dns.resolver.address"], "where clients ask the resolver",
                bad: "it is not there: name it, so that log and wire can be compared"),
            MetricAdvice(
                ["sonde.dns.resolver.query.count"], "queries in the log",
                bad: "it jumps: a program that asks in a loop, or an attack"),
            MetricAdvice(
                ["sonde.dns.resolver.query.dropped"], "queries that the resolver threw away by rule",
                bad: "it rises: a rate limit or a list catches more than it should, or an attack"),
            MetricAdvice(
                ["sonde.dns.resolver.query.repeated"], "queries that shared the answer to another one",
                bad: "it rises: clients ask again before they have an answer; the resolver is slow"),
            MetricAdvice(
                ["sonde.dns.resolver.query.evicted"], "queries whose outcome is unknown because the table was full",
                bad: """
                    it rises: more wait for an answer than there is room for, or answers are not logged
                    """),
            MetricAdvice(
                ["sonde.dns.resolver.response.unasked"], "answers whose query is not in the log",
                bad: "it rises: queries are not logged, or lines are lost"),
            MetricAdvice(
                ["sonde.dns.dnstap.frame.malformed"], "frames that do not decode",
                bad: "over 0: something else writes to the socket"),
        ]
    }
}
