internal import SondeDomain

extension DNSLogSource {
    /// What can go wrong.
    static var errors: [PluginDescriptor.ErrorDefinition] {
        [
            .init(
                "SND-DLG001",
                meaning: "An option has a value that cannot be used.",
                recovery: "Correct the option that the message names."
            ),
            .init(
                "SND-DLG002",
                meaning: "A log is not there or cannot be read.",
                recovery: "Correct the path or its permissions; it is looked for and read as soon as that is possible."
            ),
            .init(
                "SND-DLG003",
                meaning: "A line of a log, or a message of dnstap, is in no known form.",
                recovery: "Look at the line that the message quotes; set format when it was chosen wrongly."
            ),
            .init(
                "SND-DLG004",
                meaning: "Lines of a log are gone before they could be read.",
                recovery: "Keep more rotated files uncompressed, or rotate by renaming; the ledger has the loss."
            ),
            .init(
                "SND-DLG005",
                meaning: "The position up to which a log was read is lost.",
                recovery: "Look whether the agent was replaced by an older one; reading continues from the end."
            ),
            .init(
                "SND-DLG006",
                meaning: "The kernel does not report changes of files, which are polled once per second.",
                recovery: "Raise fs.inotify.max_user_instances or fs.inotify.max_user_watches."
            ),
            .init(
                "SND-DLG007",
                meaning: "The plugin was called out of order.",
                recovery: "Report it as a defect of the agent."
            ),
            .init(
                "SND-DLG008",
                meaning: "The agent took no samples for one interval.",
                recovery: "Look at the sinks and the spool; counters catch up at the next interval."
            ),
            .init(
                "SND-DLG009",
                meaning: "The socket for dnstap cannot be made.",
                recovery: "Look at the reason in the message: another program may listen there."
            ),
            .init(
                "SND-DLG010",
                meaning: "A sender was cut off from the socket: what it sent is no dnstap.",
                recovery: "Look which program was configured to send to this socket."
            ),
            .init(
                "SND-DLG011",
                meaning: "A sender was turned away from the socket, for too many are connected.",
                recovery: "Give further resolvers a socket and a source of their own."
            ),
            .init(
                "SND-DLG020",
                meaning: "The file is no log of a resolver.",
                recovery: "Name a query log of one of the resolvers that the README names."
            ),
            .init(
                "SND-DLG021",
                meaning: "The system refused to read the log.",
                recovery: "Look at the message; the report has what comes before."
            ),
        ]
    }
}
