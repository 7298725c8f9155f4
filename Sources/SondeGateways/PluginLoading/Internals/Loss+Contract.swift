internal import CSondePlugin
internal import SondeDomain
internal import SondePluginKit

extension Loss {
    static let reasonLimit = 64

    /// A copy of the contract's loss.
    init(_ pointer: UnsafePointer<sonde_loss>?, component: String) throws(ContractBreach) {
        guard let pointer else { throw ContractBreach("reported a loss of NULL") }
        guard let record = sonde_loss(copying: pointer) else {
            throw ContractBreach("reported a loss of an impossible struct_size")
        }
        guard let reason = String(record.reason, limit: Self.reasonLimit), !reason.isEmpty else {
            throw ContractBreach("reported a loss without a reason of 1 to \(Self.reasonLimit) bytes")
        }
        let unknown = Int64(SONDE_TIME_UNKNOWN)
        self.init(
            reason: reason,
            component: component,
            from: record.from_ns == unknown ? nil : Timestamp(nanoseconds: record.from_ns),
            to: record.to_ns == unknown ? nil : Timestamp(nanoseconds: record.to_ns),
            count: record.count == .max ? nil : record.count
        )
    }
}
