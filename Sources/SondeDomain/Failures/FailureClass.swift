/// What a failure means.
///
/// Plugins state a class; one place in the engine decides what happens.
public enum FailureClass: UInt32, Hashable, Sendable, CaseIterable {
    /// The other side may recover.
    case transient = 1
    /// The other side asked to slow down.
    case rateLimited = 2
    /// This batch will never be accepted.
    case permanentData = 3
    /// This batch is too large.
    case tooLarge = 4
    /// Held until a person acts: wrong URL, credentials, path, privilege, configuration file.
    case configuration = 5
    /// A unit of input was unreadable and was skipped.
    case corruptInput = 6
    /// Out of disk, file descriptors, memory or buffers.
    case resource = 7
    /// Storage refused or lost a write.
    case unsafeStorage = 8
    /// A state that cannot be: a defect.
    case programmer = 9
    /// The other side refuses credentials or path. Held or rejected, as configured.
    case accessRefused = 10

    /// The class of a word.
    public init?(name: String) {
        guard let known = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = known
    }

    /// The word that logs, JSON and documentation use.
    public var name: String {
        switch self {
        case .transient: "transient"
        case .rateLimited: "rate_limited"
        case .permanentData: "permanent_data"
        case .tooLarge: "too_large"
        case .configuration: "configuration"
        case .corruptInput: "corrupt_input"
        case .resource: "resource"
        case .unsafeStorage: "unsafe_storage"
        case .programmer: "programmer"
        case .accessRefused: "access_refused"
        }
    }
}

/// What each class says of a failure: everything that depends on the class is asked here, so that a new class is decided on by
/// the compiler's word.
extension FailureClass {
    /// Whether it lasts until a person acts, so that trying again soon is useless.
    public var needsPerson: Bool {
        switch self {
        case .configuration, .accessRefused: true
        case .transient, .rateLimited, .permanentData, .tooLarge, .corruptInput, .resource, .unsafeStorage, .programmer:
            false
        }
    }

    /// Whether it is expected to end by itself.
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

    /// Whether a new configuration can have brought it on a host and with a centre that work, and is taken back for it.
    public var isBroughtByConfiguring: Bool {
        switch self {
        case .configuration, .accessRefused, .programmer: true
        case .transient, .rateLimited, .permanentData, .tooLarge, .corruptInput, .resource, .unsafeStorage: false
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
