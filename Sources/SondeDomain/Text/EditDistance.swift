/// The number of slips between two words (Damerau–Levenshtein, optimal string alignment).
public enum EditDistance {
    /// The least number of insertions, deletions, replacements and swaps of neighbours.
    ///
    /// Takes time in proportion to the product of the lengths: bound them.
    public static func between<Element: Equatable>(_ left: [Element], _ right: [Element]) -> Int {
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        var current = last
        for row in left.indices {
            current[0] = row + 1
            for column in right.indices {
                let replacement = last[column] + (left[row] == right[column] ? 0 : 1)
                var cost = min(replacement, last[column + 1] + 1, current[column] + 1)
                let isSwap =
                    row > 0 && column > 0 && left[row] == right[column - 1] && left[row - 1] == right[column]
                if isSwap { cost = min(cost, beforeLast[column - 1] + 1) }
                current[column + 1] = cost
            }
            (beforeLast, last, current) = (last, current, beforeLast)
        }
        return last[right.count]
    }
}
