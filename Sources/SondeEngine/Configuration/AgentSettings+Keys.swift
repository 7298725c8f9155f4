import SondeDomain

extension AgentSettings: ConfigurationSection {
    private typealias Option = ConfigurationOption<AgentSettings>

    private static let standard = AgentSettings()

    /// The keys of `agent:`, in the order in which they are shown.
    public static let keys: [ConfigurationOption<AgentSettings>] =
        [
            Option(
                "interval", \.interval, .duration(ConfigurationSchema.intervals), of: standard,
                help: "How often sources that set no interval are read."),
            Option(
                "labels", \.labels, .map, of: standard, .live, help: "Labels on every point, at most 32.",
                example: "{ site: fra1 }"),
            Option(
                "host", \.host, .text, .fixed, unset: "the machine's own name",
                help: "The host name on every point: at most 255 bytes, parts of 1 to 63 with dots between, no control "
                    + "characters."),
            Option(
                "state_dir", \.stateDirectory, .text, .fixed, unset: "nothing is kept over a restart",
                help: "Where state is kept: the agent's id, the log of what waits (`spool/`), refused batches "
                    + "(`dead-letter/`), the history (`history.db`).",
                example: "/var/lib/sonde"),
            Option(
                "control_socket", \.controlSocket.text, .text, .fixed, unset: "sonde.sock in the runtime directory",
                help: "The path of the socket that `sonde status` asks, at most 107 bytes; `none` for no socket. The "
                    + "runtime directory is that of the unit, `/run/sonde` (root, or where the agent may write), or "
                    + "`XDG_RUNTIME_DIR`.",
                example: "/run/sonde/sonde.sock"),
            Option(
                "control_group", \.controlGroup, .text, .fixed, unset: "only root and the agent's own user may ask",
                help: "A group whose members may ask there for what changes nothing: `status`, `snapshot`, `watch`, "
                    + "`series`, `history`, `export`, `changes` and what `spool` shows.",
                example: "netops"),
            Option(
                "plugin_dirs", \.pluginDirectories, .list, of: standard,
                help: "Where plugins are looked for before the standard directories.",
                example: "[/usr/local/lib/sonde/plugins]"),
            Option(
                "shutdown_grace", \.shutdownGrace, .duration(.zero...Nanoseconds.seconds(3_600)), of: standard, .live,
                help: "How long a stop may take; from 5 s on, two of them are for calls that have to be cancelled and "
                    + "for the disk. Below that, they come on top."),
            Option(
                "log.level", \.logLevel, .choice(\.name), of: standard, .live,
                help: "The least urgent line that is logged."),
            Option(
                "log.format", \.logFormat, .choice, of: standard, .live,
                help: "For people or one JSON object per line. Lines of text begin with the time in UTC unless they go "
                    + "to the journal, which adds its own (`JOURNAL_STREAM`)."),
        ] + spool + [
            Option(
                "history.max_bytes", \.historyMaxBytes, .size((12 << 20)...(1 << 30)), of: standard, .fixed,
                help: "The bound of what `sonde history` is answered from, its log included; kept where `state_dir` is "
                    + "set.")
        ] + remote + limitKeys

    /// The first parts of the keys that a remote configuration may set: none of them says where it comes from, what is
    /// trusted, or where anything is kept.
    public static let remoteKeys: Set<String> = ["interval", "labels", "log", "shutdown_grace"]

    private static let remote: [Option] = [
        Option(
            "remote.url", \.remote.url, .text, .fixed, unset: "there is none",
            help: "The address of a signed file that counts between the main file and `conf.d`; `https`, or `http` "
                + "from this host itself. Needs `public_key` and `agent.state_dir`.",
            example: "https://config.example.net/fleet.signed"),
        Option(
            "remote.public_key", \.remote.publicKey, .text, .fixed, unset: "required with `url`",
            help: "The Ed25519 key that signs it: the middle line of what `openssl pkey -pubout` prints.",
            example: "MCowBQYDK2VwAyEA…"),
        Option(
            "remote.interval", \.remote.interval, .duration(Nanoseconds.seconds(1)...Nanoseconds.seconds(86_400)),
            of: standard, .fixed,
            help: "How often the server is asked; which moment of it is a host's own, as the agent's id says."),
        Option(
            "remote.probation", \.remote.probation, .duration(Nanoseconds.seconds(1)...Nanoseconds.seconds(86_400)),
            of: standard, .fixed,
            help: "How long a new one has to work until it counts as good. Time in which what it changes waits for "
                + "others, such as a centre that is down, does not count."),
        Option(
            "remote.timeout", \.remote.timeout, .duration(Nanoseconds.seconds(1)...Nanoseconds.seconds(600)),
            of: standard, .fixed, help: "How long one request may take."),
        Option(
            "remote.max_bytes", \.remote.maxBytes, .size((1 << 10)...(1 << 20)), of: standard, .fixed,
            help: "What is larger is refused."),
        Option(
            "remote.ca_file", \.remote.caFile, .text, .fixed, unset: "the system's certificates",
            help: "The certificates that the server's is checked with."),
        Option(
            "remote.proxy", \.remote.proxy, .text, .fixed, unset: "none",
            help: "The proxy to the server; the environment's is not used."),
        Option(
            "remote.auth.bearer", \.remote.bearer, .secret, .fixed, unset: "none",
            help: "A token for the server.", example: "\"${cred:config-token}\""),
    ]

    private static let spool: [Option] = [
        Option(
            "spool.max_bytes", \.spoolMaxBytes, .size((64 << 10)...(1 << 40)), .fixed,
            unset: "\(SizeText.text(of: diskSpoolBytes)) on disk, \(SizeText.text(of: memorySpoolBytes)) in memory",
            help: "The bound of the log; at least 4MiB on disk."),
        Option(
            "spool.max_age", \.spoolMaxAge,
            .duration(Nanoseconds.seconds(1)...Nanoseconds.seconds(365 * 86_400)), of: standard, .fixed,
            help: "On disk, what is older is dropped."),
        Option(
            "spool.min_free", \.spoolMinFree, .size(0...(1 << 50)), .fixed, unset: "the smaller of 5 % and 100MiB",
            help: "On disk, the room that is left to others."),
        Option(
            "spool.sync", \.spoolSync, .choice, of: standard, .fixed,
            help: "On disk, when what was collected survives a power cut: within two seconds and before a batch is "
                + "offered, before a source learns that its samples were taken, or never. A killed process loses "
                + "nothing but what waits in memory while the disk is full."),
        Option(
            "spool.overflow", \.overflow, .choice, of: standard, .fixed,
            help: "Which points are dropped at the "
                + "bound."),
    ]
}

extension AgentSettings.ControlSocket {
    /// As the file has it; nil when nothing is set.
    fileprivate var text: String? {
        get {
            switch self {
            case .standard: nil
            case .none: "none"
            case .path(let path): path
            }
        }
        set { self = newValue.map { $0 == "none" ? .none : .path($0) } ?? .standard }
    }
}
