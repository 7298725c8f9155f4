extension ErrorCode {
    /// An option of `sonde web` has a value that means nothing.
    public static let webArgumentInvalid = ErrorCode("SND-WEB001")
    /// `sonde web` would show the host to other hosts without protection.
    public static let webNotProtected = ErrorCode("SND-WEB002")
    /// The certificate, its key or the token of `sonde web` cannot be used.
    public static let webFileUnusable = ErrorCode("SND-WEB003")
    /// `sonde web` cannot listen at its address.
    public static let webNotListening = ErrorCode("SND-WEB004")
}

extension ErrorDefinition {
    static let web: [ErrorDefinition] = [
        ErrorDefinition(
            .webArgumentInvalid, .configuration, meaning: "An option of 'sonde web' has a value that means nothing.",
            recovery: "Write it as 'sonde web --help' says."),
        ErrorDefinition(
            .webNotProtected, .configuration,
            meaning: "'sonde web' was to listen where other hosts reach it, without TLS or without a token.",
            recovery: "Add --tls-certificate, --tls-key and --token-file, or listen at 127.0.0.1 behind a tunnel or a "
                + "reverse proxy."),
        ErrorDefinition(
            .webFileUnusable, .configuration,
            meaning: "The certificate, its key or the token of 'sonde web' cannot be used.",
            recovery: "Check that the files are there, are PEM that belongs together, and that a token is one line of "
                + "20 characters or more which other users cannot read."),
        ErrorDefinition(
            .webNotListening, .resource, meaning: "'sonde web' cannot listen at its address.",
            recovery: "Choose another port with --listen; 'ss -ltnp' shows who has it."),
    ]
}
