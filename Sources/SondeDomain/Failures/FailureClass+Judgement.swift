/// What each class says of a failure: everything that depends on the class is asked here, so that a new class is decided on by
/// the compiler's word.
extension FailureClass {
    /// Whether it lasts until a person acts, so that trying again soon is in vain.
    public var needsPerson: Bool {
        switch self {
        case .configuration, .accessRefused: true
        case .transient, .rateLimited, .permanentData, .tooLarge, .corruptInput, .resource, .unsafeStorage, .programmer:
            false
        }
    }

    /// Whether it is expected to end without anybody's help.
    public var endsByItself: Bool {
        switch self {
        case .transient, .rateLimited, .resource: true
        case .permanentData, .tooLarge, .configuration, .corruptInput, .unsafeStorage, .programmer, .accessRefused:
            false
        }
    }

    /// Whether another configuration may end it: another receiver, format, limit or place.
    public var mayEndByReconfiguring: Bool {
        switch self {
        case .configuration, .accessRefused, .permanentData, .tooLarge, .unsafeStorage: true
        case .transient, .rateLimited, .corruptInput, .resource, .programmer: false
        }
    }

    /// Whether it is about a unit of data that is never accepted, and others may be.
    public var concernsData: Bool {
        switch self {
        case .permanentData, .corruptInput: true
        case .transient, .rateLimited, .tooLarge, .configuration, .resource, .unsafeStorage, .programmer,
            .accessRefused:
            false
        }
    }

    /// Whether it is over when it is reported: a unit was skipped, and everything else goes on.
    public var isEvent: Bool {
        switch self {
        case .corruptInput: true
        case .transient, .rateLimited, .permanentData, .tooLarge, .configuration, .resource, .unsafeStorage,
            .programmer,
            .accessRefused:
            false
        }
    }

    /// How long is waited at most before another attempt, where the class decides it: what this host lacks may be back soon,
    /// whatever the destination allows.
    public var longestWait: Nanoseconds? {
        switch self {
        case .resource, .unsafeStorage: .seconds(30)
        case .transient, .rateLimited, .permanentData, .tooLarge, .configuration, .corruptInput, .programmer,
            .accessRefused:
            nil
        }
    }
}
