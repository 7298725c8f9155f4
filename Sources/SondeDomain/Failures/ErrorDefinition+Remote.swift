extension ErrorDefinition {
    static let remote: [ErrorDefinition] = [
        ErrorDefinition(
            .remoteUnreachable, .transient,
            meaning: "The server of the remote configuration could not be asked, or did not answer whole.",
            recovery: "Nothing: it is asked again, and the configuration in force stays. If it lasts, ask "
                + "agent.remote.url from this host with curl."),
        ErrorDefinition(
            .remoteAccessRefused, .accessRefused,
            meaning: "The server refuses to give this host the remote configuration.",
            recovery: "Check agent.remote.auth.bearer, and what the server allows."),
        ErrorDefinition(
            .remoteAddressWrong, .configuration,
            meaning: "The server has no remote configuration at agent.remote.url, or the URL cannot be used.",
            recovery: "Check agent.remote.url; redirects are not followed."),
        ErrorDefinition(
            .remoteUntrusted, .configuration,
            meaning: "The certificate of the server of the remote configuration could not be verified.",
            recovery: "Check agent.remote.ca_file, the server's certificate and its names, and the clocks of both."),
        ErrorDefinition(
            .remoteTooLarge, .tooLarge, meaning: "The remote configuration is larger than agent.remote.max_bytes.",
            recovery: "Publish a smaller file, or raise the bound."),
        ErrorDefinition(
            .remoteUnsigned, .permanentData,
            meaning: "The remote configuration is not signed by agent.remote.public_key, or was changed or cut "
                + "afterwards.",
            recovery: "Sign the file with the key that belongs to agent.remote.public_key, and publish it whole."),
        ErrorDefinition(
            .remoteOld, .permanentData,
            meaning: "The remote configuration has a serial that is not above all that were in force on this host.",
            recovery: "Sign it with a higher 'serial'; also to go back to an earlier text."),
        ErrorDefinition(
            .remoteRefused, .configuration,
            meaning: "The remote configuration has errors on this host; it was not put in force.",
            recovery: "Correct it, raise its serial and publish it; 'sonde check --remote FILE' checks a file before "
                + "it is signed."),
        ErrorDefinition(
            .remoteRolledBack, .configuration,
            meaning: "The remote configuration has led to failures and was taken back; the last good one is in force.",
            recovery: "Correct it, raise its serial and publish it."),
        ErrorDefinition(
            .remoteStateUnusable, .unsafeStorage,
            meaning: "What is kept of the remote configuration in the state directory cannot be read or written.",
            recovery: "Look at the disk of agent.state_dir and the owner of its directory 'remote'."),
        ErrorDefinition(
            .remoteProgramMissing, .configuration,
            meaning: "The remote configuration cannot be fetched or checked: a library or a program is missing.",
            recovery: "Install libcurl (libcurl4) and OpenSSL's libcrypto (libssl3), and all of the agent's package."),
        ErrorDefinition(
            .remoteIgnored, .configuration,
            meaning: "The kept remote configuration does not fit the files of this host; the agent has started "
                + "without it.",
            recovery: "Correct the files of this host or the remote configuration; 'sonde check' shows what is wrong, "
                + "and 'sonde reload' tries again."),
        ErrorDefinition(
            .remoteWaits, .configuration,
            meaning: "The files of this host have errors, so that a new remote configuration cannot be checked.",
            recovery: "Correct the files of this host; 'sonde check' shows what is wrong."),
    ]
}

extension ErrorCode {
    /// The server of the remote configuration could not be asked.
    public static let remoteUnreachable = ErrorCode("SND-RMT001")
    /// The server refuses.
    public static let remoteAccessRefused = ErrorCode("SND-RMT002")
    /// There is no file at the address.
    public static let remoteAddressWrong = ErrorCode("SND-RMT003")
    /// The server's certificate could not be verified.
    public static let remoteUntrusted = ErrorCode("SND-RMT004")
    /// The file is larger than its bound.
    public static let remoteTooLarge = ErrorCode("SND-RMT005")
    /// The file is not signed by the key.
    public static let remoteUnsigned = ErrorCode("SND-RMT006")
    /// The file's serial is too low.
    public static let remoteOld = ErrorCode("SND-RMT007")
    /// The file has errors on this host.
    public static let remoteRefused = ErrorCode("SND-RMT008")
    /// It was taken back.
    public static let remoteRolledBack = ErrorCode("SND-RMT009")
    /// What is kept cannot be read or written.
    public static let remoteStateUnusable = ErrorCode("SND-RMT010")
    /// What fetches it is missing.
    public static let remoteProgramMissing = ErrorCode("SND-RMT011")
    /// What is kept does not fit this host's files.
    public static let remoteIgnored = ErrorCode("SND-RMT012")
    /// This host's files have errors.
    public static let remoteWaits = ErrorCode("SND-RMT013")
}
