/// The names of a spool's files.
struct SpoolPaths: Hashable {
    let directory: String

    var lock: String { "\(directory)/LOCK" }
    var end: String { "\(directory)/END" }
    var quarantine: String { "\(directory)/quarantine" }

    func segment(_ first: UInt64) -> String {
        "\(directory)/\(Self.segmentName(first))"
    }

    func cursor(_ sink: String) -> String {
        "\(directory)/\(sink).cur"
    }

    static func segmentName(_ first: UInt64) -> String {
        let digits = String(first, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits + ".seg"
    }

    /// The first number of the segment of that name; nil when it is not a segment's.
    static func segmentFirst(_ name: String) -> UInt64? {
        guard name.utf8.count == 20, name.hasSuffix(".seg"), let first = UInt64(name.dropLast(4), radix: 16) else {
            return nil
        }
        return first > 0 && first < UInt64(Int64.max) && segmentName(first) == name ? first : nil
    }

    /// The sink of the cursor of that name; nil when it is not a cursor's.
    static func cursorSink(_ name: String) -> String? {
        name.hasSuffix(".cur") && name.utf8.count > 4 ? String(name.dropLast(4)) : nil
    }
}
