internal import SondeDomain

extension DNSLogSource {
    /// The options of the configuration.
    static var options: [OptionDefinition] {
        [
            OptionDefinition(
                "path",
                .string,
                help: "The log: a file, a FIFO, a wildcard at the end, or - for standard input; the socket of dnstap.",
                example: "/var/log/unbound/unbound.log"
            ),
            OptionDefinition(
                "paths",
                .list,
                help: "Several logs, in place of path.",
                example: "[/var/log/named/queries.log, /var/log/named/query-errors.log]"
            ),
            OptionDefinition(
                "format",
                .choice(["auto"] + LogFormat.allCases.map(\.rawValue)),
                default: "auto",
                help: "The resolver that writes the log; with auto the first lines decide; dnstap listens at a socket."
            ),
            OptionDefinition(
                "socket_access",
                .choice(["owner", "group", "everyone"]),
                default: "group",
                help: "Who may send dnstap to the socket: the agent's user, its group as well, or every user."
            ),
            OptionDefinition(
                "start",
                .choice(["end", "beginning"]),
                default: "end",
                help: "Where to begin in a file that was never read before."
            ),
            OptionDefinition(
                "links",
                .choice(["same_owner", "follow", "refuse"]),
                default: "same_owner",
                help: "Which symbolic links are followed to a log."
            ),
            OptionDefinition(
                "resolver",
                .string,
                help:
                    "Where the resolver is asked, so that a capture can be compared with its log; dnstap reports it itself.",
                example: "127.0.0.1:53"
            ),
            OptionDefinition(
                "resolvers",
                .list,
                help: "Several addresses, in place of resolver.",
                example: "[\"127.0.0.1:53\", \"[::1]:53\"]"
            ),
            OptionDefinition(
                "timeout",
                .duration(.seconds(1) ... .seconds(60)),
                default: "10s",
                help: "After how long a query without an answer in the log counts as unanswered."
            ),
            OptionDefinition(
                "failures",
                .list,
                default: "[error, unanswered]",
                help: "What counts as a failure: error, denial, unanswered, dropped, or response codes.",
                example: "[SERVFAIL, REFUSED, unanswered]"
            ),
            OptionDefinition(
                "top",
                .integer(0...250),
                default: "20",
                help: "How many names and clients are reported one by one; 0 for none.",
                saving: .init(.names, "0")
            ),
            OptionDefinition(
                "privacy",
                .choice(["full", "hashed", "domain", "none"]),
                default: "full",
                help:
                    "How much of names and clients is reported: as they are, hashed, two labels and networks, or nothing."
            ),
            OptionDefinition(
                "cpu_budget",
                .double(0.01...100),
                help:
                    "What reading may take of one core, in percent; lines wait in their files. All of it when not set.",
                example: "5"
            ),
        ]
    }
}
