/// Why a flow is no longer in the table.
enum FlowEndReason: UInt8, CaseIterable, Sendable {
    /// No packet for as long as its time-out.
    case idle
    /// It lasted so long that it was counted, and continues as a new one.
    case active
    /// Both ends sent FIN.
    case finished
    /// One end sent RST.
    case reset
    /// Its ports were used for another connection before its end was seen.
    case reused
    /// Another flow needed its place.
    case evicted

    /// The value of the attribute `sonde.flow.end_reason`.
    var name: String {
        switch self {
        case .idle: "idle"
        case .active: "active"
        case .finished: "finished"
        case .reset: "reset"
        case .reused: "reused"
        case .evicted: "evicted"
        }
    }
}
