internal import SondeDomain

/// How often in a row the same fault came back.
///
/// A single broken handshake is a restart on the other side; the third in a row is a wrong port.
struct FaultStreak: Sendable {
    private var fault: TransferFault?
    private var length = 0

    /// An answer came, or another outcome that says nothing about the configuration.
    mutating func end() {
        fault = nil
        length = 0
    }

    /// Counts a fault and says what it means now.
    mutating func failureClass(of fault: TransferFault) -> FailureClass {
        length = fault == self.fault ? length &+ 1 : 1
        self.fault = fault
        let rule = fault.rule
        guard let bound = rule.repeatsToConfiguration, length >= bound else { return rule.failureClass }
        return .configuration
    }
}
