/// What a failure means.
///
/// Plugins state a class; one place in the engine decides what happens.
public enum FailureClass: UInt32, Hashable, Sendable, CaseIterable {
    /// The other side may recover.
    case transient = 1
    /// Told to slow down.
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
    /// The other side refuses who we are or where we knock: credentials, path. Held or rejected, as configured.
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
