internal import SondeDomain

/// `/proc/net/wireless` (`wireless_seq_show`, net/wireless/wext-proc.c).
///
///     Inter-| sta-|   Quality        |   Discarded packets               | Missed | WE
///      face | tus | link level noise |  nwid  crypt   frag  retry   misc | beacon | 22
///      wlan0: 0000   54.  -56.  -256        0      0      0      0    123        0
struct WirelessTable {
    /// One device.
    struct Row: Equatable {
        var name: String
        /// In the driver's own measure.
        var quality: UInt64
        /// In dBm; nil where the driver reports it in its own measure.
        var signal: Int64?
        /// In dBm; nil where the driver does not report it.
        var noise: Int64?
        /// Wrong network, could not be decrypted, could not be put together, retries exceeded, other reasons.
        var discarded: [UInt64]
        var missedBeacons: UInt64
    }

    /// What the kernel prints where a level is not known (0 in dBm, minus 256).
    private static let unknown: Int64 = -256

    /// Rows that are read.
    static let limit = 64

    /// The devices in the file; other lines are counted.
    static func rows(_ bytes: UnsafeRawBufferPointer, _ problems: inout InputProblemCounts) -> [Row] {
        var rows: [Row] = []
        var scanner = ByteScanner(bytes)
        let isWhole = bytes.last == ByteScanner.newline
        var number = 0
        while let line = scanner.line() {
            number += 1
            // Two lines of names; a last line without an end was cut.
            guard number > 2 else { continue }
            guard isWhole || !scanner.isAtEnd, let row = row(line) else {
                problems.count(.malformedLine)
                continue
            }
            guard rows.count < limit else {
                problems.count(.interfaceLimit)
                continue
            }
            rows.append(row)
        }
        return rows
    }

    private static func row(_ line: UnsafeRawBufferPointer) -> Row? {
        guard let colon = line.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        var name = ByteScanner(UnsafeRawBufferPointer(rebasing: line[..<colon]))
        guard let word = name.word(), word.count <= KernelText.longestName, name.isAtEnd else { return nil }
        var rest = ByteScanner(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
        // The status is a number of the driver's own.
        guard rest.word() != nil else { return nil }
        guard let quality = level(&rest), let signal = level(&rest), let noise = level(&rest), quality >= 0 else {
            return nil
        }
        var counts: [UInt64] = []
        while let count = count(&rest) { counts.append(count) }
        guard counts.count == 6, rest.skipLineEnd(), rest.isAtEnd else { return nil }
        return Row(
            name: KernelText.name(word),
            quality: UInt64(quality),
            signal: decibels(signal),
            noise: decibels(noise),
            discarded: Array(counts.prefix(5)),
            missedBeacons: counts[5]
        )
    }

    /// A level; a dot after it marks it as fresh.
    private static func level(_ scanner: inout ByteScanner) -> Int64? {
        guard let word = scanner.word() else { return nil }
        var digits = ByteScanner(
            UnsafeRawBufferPointer(rebasing: word.last == UInt8(ascii: ".") ? word.dropLast() : word[...]))
        guard let number = digits.number(), digits.isAtEnd, number.magnitude <= 1_024 else { return nil }
        return number.form == .negative ? number.negated : Int64(number.magnitude)
    }

    private static func count(_ scanner: inout ByteScanner) -> UInt64? {
        scanner.skipBlanks()
        guard let number = scanner.number(), number.form == .unsigned else { return nil }
        return number.magnitude
    }

    /// Levels below zero are in dBm.
    private static func decibels(_ level: Int64) -> Int64? { level < 0 && level != unknown ? level : nil }
}
