/// Which bytes of a line decide what its prefix is.
struct PrefixExtent {
    /// Where three digits of a second are that may be others; 0 where there are none.
    var fraction = 0
    /// Where a hexadecimal digit is, the number of a thread, that may be any other one; 0 where there is none.
    var free = 0
    /// Behind the last byte that decides; 0 when that is not known.
    var end = 0

    /// Whether lines that agree in these bytes, which are few enough, can be recognized by them.
    func isWorthKeeping(in line: LogBytes, longest: Int) -> Bool {
        guard end >= 8, end <= longest, end <= line.count else { return false }
        // On both sides of the digits there is enough to be compared by words.
        return fraction == 0 || fraction >= 8 && end &- fraction >= 11
    }
}
