public import SondeDomain

/// The action after a failed delivery.
///
/// Plugins state a class; the action is decided only here.
public enum Disposition: Hashable, Sendable {
    /// The same stretch is offered again after a backoff.
    case retry
    /// Held: the same stretch is offered rarely until a person has acted.
    case hold
    /// The stretch is cut in halves; a single point that is still too large is set aside.
    case split
    /// The stretch will never be accepted: it is set aside and counted, and the next one is offered at once.
    case setAside

    /// How many refusals of data in a row mean that the receiver expects other data altogether.
    public static let refusalsUntilHold = 20
    /// How many defects in a row mean that trying again is useless: a plugin that crashes whenever it is started.
    public static let defectsUntilHold = 10

    /// The action after a failure of a class; `refusals` counts `permanentData` in a row and `defects` `programmer`, this
    /// one included.
    public init(
        _ failureClass: FailureClass,
        refusals: Int = 0,
        defects: Int = 0,
        onAccessRefused: SinkConfiguration.AccessPolicy = .hold
    ) {
        switch failureClass {
        case .accessRefused: self = onAccessRefused == .hold ? .hold : .setAside
        case .configuration: self = .hold
        case .tooLarge: self = .split
        case .permanentData, .corruptInput: self = refusals >= Self.refusalsUntilHold ? .hold : .setAside
        case .programmer: self = defects >= Self.defectsUntilHold ? .hold : .retry
        case .transient, .rateLimited, .resource, .unsafeStorage: self = .retry
        }
    }
}
