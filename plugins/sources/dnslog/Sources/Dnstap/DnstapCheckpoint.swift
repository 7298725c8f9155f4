internal import SondeDomain

/// When the socket last had a listener: what is sent from then on until it has one again is lost.
struct DnstapCheckpoint: Hashable {
    private static let mark: [UInt8] = Array("dnstap 1".utf8)

    let time: Timestamp

    init(time: Timestamp) {
        self.time = time
    }

    /// Nil when the bytes are no checkpoint of dnstap: the source may have followed a log before.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.mark.count + 8, bytes.starts(with: Self.mark) else { return nil }
        let number = bytes.dropFirst(Self.mark.count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        time = Timestamp(nanoseconds: Int64(bitPattern: number))
    }

    var bytes: [UInt8] {
        let number = UInt64(bitPattern: time.nanoseconds)
        return Self.mark + stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
