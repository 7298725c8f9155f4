extension StatusRule {
    static let redirected = "Redirects are never followed: set url to the address that answers itself."
    static let serverFault = "Nothing to do here: it is tried again; look at the receiver's log when it stays."
    private static let badData = "Compare format with what the receiver takes."

    /// Every status that has a line of its own, ascending.
    static let all: [StatusRule] = redirects + refusals + serverFaults

    private static let redirects = [
        StatusRule(status: 301, meaning: "The receiver has moved.", recovery: redirected),
        StatusRule(status: 302, meaning: "The receiver redirects.", recovery: redirected),
        StatusRule(status: 303, meaning: "The receiver redirects.", recovery: redirected),
        StatusRule(status: 307, meaning: "The receiver redirects.", recovery: redirected),
        StatusRule(status: 308, meaning: "The receiver has moved.", recovery: redirected),
    ]

    private static let refusals = [
        StatusRule(status: 400, meaning: "The receiver cannot read the body.", recovery: badData),
        StatusRule(
            status: 401,
            meaning: "The receiver does not accept the credentials.",
            recovery: "Check auth.bearer, or auth.basic.username and auth.basic.password."
        ),
        StatusRule(
            status: 403,
            meaning: "The receiver does not allow this.",
            recovery: "Check what the credentials may do, and whether url is the right address."
        ),
        StatusRule(
            status: 404,
            meaning: "The receiver has nothing at this path.",
            recovery: "Check the path of url."
        ),
        StatusRule(
            status: 405,
            meaning: "The receiver takes no POST at this path.",
            recovery: "Check the path of url."
        ),
        StatusRule(status: 406, meaning: "The receiver refuses the format.", recovery: badData),
        StatusRule(
            status: 407,
            meaning: "The proxy wants credentials.",
            recovery: "Use a proxy that wants none, or proxy: env with the credentials in the environment."
        ),
        StatusRule(status: 408, meaning: "The receiver gave up waiting for the request.", recovery: serverFault),
        StatusRule(status: 409, meaning: "The receiver says the data conflicts with its own.", recovery: badData),
        StatusRule(
            status: 410,
            meaning: "The receiver is gone from this path for good.",
            recovery: "Set url to its new address."
        ),
        StatusRule(
            status: 413,
            meaning: "The body is too large for the receiver.",
            recovery: "Batches are halved until they fit; batch.bytes sets the size from the start."
        ),
        StatusRule(
            status: 415,
            meaning: "The receiver does not take this media type.",
            recovery: "Check that it takes application/x-ndjson at the path of url."
        ),
        StatusRule(status: 422, meaning: "The receiver refuses the data.", recovery: badData),
        StatusRule(status: 425, meaning: "The receiver wants the request later.", recovery: serverFault),
        StatusRule(
            status: 429,
            meaning: "The receiver asks to slow down.",
            recovery: "Nothing to do here; raise the limit there, or send less with interval and metrics."
        ),
    ]

    private static let serverFaults = [
        StatusRule(status: 500, meaning: "The receiver failed.", recovery: serverFault),
        StatusRule(
            status: 501,
            meaning: "The receiver cannot do what is asked.",
            recovery: "Check that url is the address of a receiver of metrics."
        ),
        StatusRule(
            status: 502,
            meaning: "A gateway got no good answer from the receiver.",
            recovery: serverFault
        ),
        StatusRule(status: 503, meaning: "The receiver is unavailable for now.", recovery: serverFault),
        StatusRule(status: 504, meaning: "A gateway got no answer from the receiver in time.", recovery: serverFault),
        StatusRule(
            status: 505,
            meaning: "The receiver refuses the version of HTTP.",
            recovery: "Check that url is the address of a receiver of metrics."
        ),
    ]
}
