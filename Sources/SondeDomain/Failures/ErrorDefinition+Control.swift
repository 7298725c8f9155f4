extension ErrorDefinition {
    static let control: [ErrorDefinition] = [
        ErrorDefinition(
            .controlSocketUnavailable, .resource,
            meaning:
                "The control socket could not be made; the agent runs without it and 'sonde status' cannot ask it.",
            recovery: "Check the directory of agent.control_socket and who may write to it, then restart the agent."),
        ErrorDefinition(
            .controlSocketInUse, .configuration,
            meaning: "Another agent answers at the control socket; this one runs without a socket.",
            recovery: "Give each agent of a host its own agent.control_socket."),
        ErrorDefinition(
            .controlPathTooLong, .configuration,
            meaning: "The path of the control socket is longer than the 107 bytes that the system allows.",
            recovery: "Choose a shorter agent.control_socket."),
        ErrorDefinition(
            .controlRequestMalformed, .corruptInput,
            meaning: "A line on the control socket was not a JSON object with a text 'request'.",
            recovery: "Send one JSON object per line; docs/spec/control.md describes it."),
        ErrorDefinition(
            .controlRequestUnknown, .permanentData, meaning: "This agent does not know the request.",
            recovery: "Check its spelling, and whether the command and the agent are of the same release."),
        ErrorDefinition(
            .controlRequestTooLong, .tooLarge, meaning: "A line on the control socket was longer than 64 KiB.",
            recovery: "Send shorter requests."),
        ErrorDefinition(
            .controlBusy, .rateLimited, meaning: "The control socket has as many connections as it takes.",
            recovery: "Close some of them, or try again: an idle connection is closed after 30 seconds."),
        ErrorDefinition(
            .controlPeerRefused, .configuration,
            meaning: "The control socket answers only root, the agent's own user and members of its control group.",
            recovery: "Ask as root, as the agent's user, or as a member of agent.control_group."),
        ErrorDefinition(
            .controlNotAnswered, .transient, meaning: "No agent answers at the control socket.",
            recovery: "Check that the agent runs, and name its socket with --socket or its configuration with -c."),
        ErrorDefinition(
            .controlAnswerUnreadable, .programmer, meaning: "What came from the control socket is not an answer.",
            recovery: "Check that the socket is an agent's and that command and agent are of the same release."),
        ErrorDefinition(
            .controlArgumentInvalid, .permanentData,
            meaning: "A request on the control socket lacks a member that it needs, or one has a value it cannot have.",
            recovery: "See docs/spec/control.md for the members of the request."),
        ErrorDefinition(
            .controlWatcherStalled, .transient,
            meaning: "A connection that watches took nothing of what it was sent for 30 seconds and was closed.",
            recovery: "Have the program read faster, or ask again for what it wants."),
        ErrorDefinition(
            .controlChangeRefused, .configuration,
            meaning: "A member of the control group has asked for something that changes what the agent does.",
            recovery: "Ask as root or as the agent's user."),
        ErrorDefinition(
            .controlGroupUnusable, .configuration,
            meaning:
                "The control socket cannot be opened to agent.control_group; root and its owner are still answered.",
            recovery: "Name a group of this host that the agent's user is a member of, then restart the agent."),
    ]
}

extension ErrorCode {
    /// The control socket could not be made.
    public static let controlSocketUnavailable = ErrorCode("SND-CTL001")
    /// Another agent answers at the control socket.
    public static let controlSocketInUse = ErrorCode("SND-CTL002")
    /// The path of the control socket is too long for the system.
    public static let controlPathTooLong = ErrorCode("SND-CTL003")
    /// A line on the control socket is no request.
    public static let controlRequestMalformed = ErrorCode("SND-CTL004")
    /// A request that this agent does not know.
    public static let controlRequestUnknown = ErrorCode("SND-CTL005")
    /// A line on the control socket is too long.
    public static let controlRequestTooLong = ErrorCode("SND-CTL006")
    /// The control socket has too many connections.
    public static let controlBusy = ErrorCode("SND-CTL007")
    /// The control socket does not answer this user.
    public static let controlPeerRefused = ErrorCode("SND-CTL008")
    /// No agent answers at the control socket.
    public static let controlNotAnswered = ErrorCode("SND-CTL009")
    /// What came from the control socket is not an answer.
    public static let controlAnswerUnreadable = ErrorCode("SND-CTL010")
    /// A member of a request is missing or wrong.
    public static let controlArgumentInvalid = ErrorCode("SND-CTL011")
    /// A watcher of the control socket takes nothing.
    public static let controlWatcherStalled = ErrorCode("SND-CTL012")
    /// A client that may only read has asked the control socket for a change.
    public static let controlChangeRefused = ErrorCode("SND-CTL013")
    /// The control socket cannot be opened to its group.
    public static let controlGroupUnusable = ErrorCode("SND-CTL014")
}
