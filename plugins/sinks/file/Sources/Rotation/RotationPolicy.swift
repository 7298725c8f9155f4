internal import SondeDomain
internal import SondePluginKit

/// When a file is rotated away, and what is kept of it.
struct RotationPolicy: Sendable {
    /// What becomes of a rotated file.
    enum Compression: String, CaseIterable, Sendable {
        case none
        case gzip
    }

    /// Bytes that a file may have; nil: any.
    let size: Int64?
    /// How old a file may get; nil: any age.
    let age: Nanoseconds?
    /// How many rotated files are kept, `path.1 … path.N`.
    let keep: Int
    let compression: Compression

    /// Names are tried one by one, so their number is bounded.
    static let keepBound: Int64 = 1_000

    init(_ options: Options) throws(PluginError) {
        let size = options.size("rotate.size") ?? 100 << 20
        let age = options.duration("rotate.age") ?? .zero
        let keep = options.integer("rotate.keep") ?? 5
        guard size >= 0 else {
            throw .option("rotate.size", "rotate.size is negative", hint: "Use 0 to switch it off.")
        }
        guard age >= .zero else {
            throw .option("rotate.age", "rotate.age is negative", hint: "Use 0 to switch it off.")
        }
        guard (0...Self.keepBound).contains(keep) else {
            throw .option("rotate.keep", "rotate.keep is \(keep)", hint: "Use 1 to \(Self.keepBound).")
        }
        guard keep > 0 || (size == 0 && age == .zero) else {
            throw .option(
                "rotate.keep",
                "rotate.keep is 0, so a rotation would delete what was just delivered",
                hint: "Keep at least 1 file, or switch rotation off with rotate.size: 0 and rotate.age: 0s."
            )
        }
        self.size = size == 0 ? nil : size
        self.age = age == .zero ? nil : age
        self.keep = Int(keep)
        compression = try FileSettings.word(options, "rotate.compress", default: .none)
    }

    /// Whether a file must go before `count` bytes are appended; an empty one never does.
    func isDue(length: Int64, startedAt: Timestamp?, appending count: Int, now: Timestamp) -> Bool {
        guard length > 0 else { return false }
        if let size, length > size &- Int64(count) { return true }
        guard let age, let startedAt else { return false }
        let (elapsed, overflow) = now.nanoseconds.subtractingReportingOverflow(startedAt.nanoseconds)
        return !overflow && elapsed >= age.value
    }
}
