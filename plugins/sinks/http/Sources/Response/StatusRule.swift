internal import SondeDomain

/// What a status of the receiver means for the batch.
///
/// One table for the class; ``StatusRule/all`` holds what a person reads.
struct StatusRule: Hashable, Sendable {
    /// The status.
    let status: Int
    /// What it means, in one sentence.
    let meaning: String
    /// What a person can do, in one sentence.
    let recovery: String

    /// The class of a final status, or nil when it means that the receiver has the batch.
    ///
    /// Statuses of the 4xx range without a line of their own hold the batch: what is held is not lost.
    static func failureClass(of status: Int, asksToWait: Bool) -> FailureClass? {
        switch status {
        case 200...299: nil
        case 300...399: .configuration
        case 400, 406, 409, 422: .permanentData
        case 401, 403, 404, 407: .accessRefused
        case 408, 425: .transient
        case 413: .tooLarge
        case 429: .rateLimited
        case 400...499: .configuration
        case 501, 505: .configuration
        case 502, 503, 504, 520...529: asksToWait ? .rateLimited : .transient
        default: .transient
        }
    }

    /// The code of a status.
    static func code(of status: Int) -> String { "SND-HTTP\(status)" }

    /// The rule of a status; for one without a line of its own, that of its family.
    static func rule(for status: Int) -> StatusRule {
        if let rule = all.first(where: { $0.status == status }) { return rule }
        switch status {
        case 300...399: return family(status, "The receiver redirects.", redirected)
        case 400...499:
            return family(status, "The receiver refuses the request.", "Look the status up in the receiver's manual.")
        default: return family(status, "The receiver fails.", serverFault)
        }
    }

    private static func family(_ status: Int, _ meaning: String, _ recovery: String) -> StatusRule {
        StatusRule(status: status, meaning: meaning, recovery: recovery)
    }
}
