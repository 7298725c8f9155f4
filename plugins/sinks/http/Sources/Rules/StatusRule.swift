internal import SondeDomain

/// What a status of the receiver means for the batch, and what a person reads of it.
struct StatusRule: Hashable, Sendable {
    /// What follows from a status.
    enum Outcome: Hashable, Sendable {
        /// The receiver has the batch.
        case delivered
        /// It does not.
        case failed(FailureClass)
        /// Transient; with `Retry-After` the receiver requests a wait.
        case unavailable
    }

    /// One status, or a family of them.
    let statuses: ClosedRange<Int>
    /// What follows.
    let outcome: Outcome
    /// What it means, in one sentence.
    let meaning: String
    /// What a person can do, in one sentence.
    let recovery: String

    /// A rule for a family.
    init(_ statuses: ClosedRange<Int>, _ outcome: Outcome, _ meaning: String, _ recovery: String) {
        self.statuses = statuses
        self.outcome = outcome
        self.meaning = meaning
        self.recovery = recovery
    }

    /// A rule for one status.
    init(_ status: Int, _ outcome: Outcome, _ meaning: String, _ recovery: String) {
        self.init(status...status, outcome, meaning, recovery)
    }

    /// The class of a failure, or nil when the receiver has the batch.
    func failureClass(asksToWait: Bool) -> FailureClass? {
        switch outcome {
        case .delivered: nil
        case .failed(let failureClass): failureClass
        case .unavailable: asksToWait ? .rateLimited : .transient
        }
    }

    /// The code of a status.
    static func code(of status: Int) -> String { "SND-HTTP\(status)" }
}

extension StatusRule {
    private static let redirected = "Redirects are never followed: set url to the address that answers itself."
    private static let retried = "Nothing to do here: it is tried again; look at the receiver's log when it stays."
    private static let badData = "Compare format and compression with what the receiver takes."
    private static let notMetrics = "Check that url is the address of a receiver of metrics."

    /// What statuses mean in every format that does not override them; the first rule that names a status applies.
    ///
    /// Statuses of the 4xx range without their own line hold the batch: what is held is not lost.
    static let common = [
        StatusRule(200...299, .delivered, "The receiver has the batch.", "Nothing."),
        StatusRule(301, .failed(.configuration), "The receiver has moved.", redirected),
        StatusRule(302, .failed(.configuration), "The receiver redirects.", redirected),
        StatusRule(303, .failed(.configuration), "The receiver redirects.", redirected),
        StatusRule(307, .failed(.configuration), "The receiver redirects.", redirected),
        StatusRule(308, .failed(.configuration), "The receiver has moved.", redirected),
        StatusRule(400, .failed(.permanentData), "The receiver cannot read the body.", badData),
        StatusRule(
            401, .failed(.accessRefused), "The receiver does not accept the credentials.",
            "Check auth.bearer, or auth.basic.username and auth.basic.password."),
        StatusRule(
            403, .failed(.accessRefused), "The receiver does not allow this.",
            "Check what the credentials may do, and whether url is the right address."),
        StatusRule(404, .failed(.accessRefused), "The receiver has nothing at this path.", "Check the path of url."),
        StatusRule(405, .failed(.configuration), "The receiver takes no POST at this path.", "Check the path of url."),
        StatusRule(406, .failed(.permanentData), "The receiver refuses the format.", badData),
        StatusRule(
            407, .failed(.accessRefused), "The proxy wants credentials.",
            "Use a proxy that wants none, or proxy: env with the credentials in the environment."),
        StatusRule(408, .failed(.transient), "The receiver gave up waiting for the request.", retried),
        StatusRule(409, .failed(.permanentData), "The receiver says the data conflicts with its own.", badData),
        StatusRule(
            410, .failed(.configuration), "The receiver is permanently gone from this path.",
            "Set url to its new address."
        ),
        StatusRule(
            413, .failed(.tooLarge), "The body is too large for the receiver.",
            "Batches are halved until they fit; batch.bytes sets the size from the start."),
        StatusRule(
            415, .failed(.configuration), "The receiver does not take this media type or encoding.",
            "Check that it takes format at the path of url; set compression: none where it does not unpack bodies."),
        StatusRule(422, .failed(.permanentData), "The receiver refuses the data.", badData),
        StatusRule(425, .failed(.transient), "The receiver wants the request later.", retried),
        StatusRule(
            429, .failed(.rateLimited), "The receiver asks to slow down.",
            "Nothing to do here; raise the limit there, or send less with interval and metrics."),
        StatusRule(500, .failed(.transient), "The receiver failed.", retried),
        StatusRule(501, .failed(.configuration), "The receiver cannot do what is asked.", notMetrics),
        StatusRule(502, .unavailable, "A gateway got no good answer from the receiver.", retried),
        StatusRule(503, .unavailable, "The receiver is unavailable for now.", retried),
        StatusRule(504, .unavailable, "A gateway got no answer from the receiver in time.", retried),
        StatusRule(505, .failed(.configuration), "The receiver refuses the version of HTTP.", notMetrics),
        StatusRule(300...399, .failed(.configuration), "The receiver redirects.", redirected),
        StatusRule(
            400...499, .failed(.configuration), "The receiver refuses the request.",
            "Look the status up in the receiver's manual."),
        StatusRule(520...529, .unavailable, "The receiver fails.", retried),
    ]

    /// What a status means where no format overrides it.
    static func common(for status: Int) -> StatusRule {
        common.first { $0.statuses.contains(status) } ?? unknown
    }

    /// What every other status means.
    static let unknown = StatusRule(0...999, .failed(.transient), "The receiver fails.", retried)
}
