internal import SondeDomain
internal import SondeFormats

/// Points over time as dots of braille, two by four in a character.
struct BrailleChart {
    private static let blank: UInt32 = 0x2800
    // The bits of the dots of a character from its bottom to its top (Unicode Standard, Braille Patterns).
    private static let left: [UInt32] = [0x40, 0x04, 0x02, 0x01]
    private static let right: [UInt32] = [0x80, 0x20, 0x10, 0x08]
    private static let blocks = Array(" ▁▂▃▄▅▆▇█")

    /// The value at the upper edge.
    let top: Double
    private let values: [Double?]
    private let columns: Int
    private let rows: Int

    /// A chart of the points of a range that ends at `end`, in so many characters.
    init(_ chart: DashboardChart, columns: Int, rows: Int) {
        (self.columns, self.rows) = (max(1, columns), max(1, rows))
        values = Self.values(chart, in: 2 * self.columns)
        top = Self.round(values.compactMap(\.self).max() ?? 0)
    }

    /// A chart of values, one for each column of dots.
    init(_ values: [Double?], rows: Int = 1) {
        (columns, self.rows, self.values) = (max(1, (values.count + 1) / 2), rows, values)
        top = Self.round(values.compactMap(\.self).max() ?? 0)
    }

    /// The rows from top to bottom; a column where nothing is known is empty.
    func lines(_ kind: ChartKind) -> [String] {
        kind == .bar ? bars : dots(isFilled: kind == .area)
    }

    // MARK: Values

    /// The mean of what holds in each column of dots; nil where nothing does.
    private static func values(_ chart: DashboardChart, in count: Int) -> [Double?] {
        guard let begin = chart.begin, let end = chart.end, begin < end else {
            return Array(repeating: nil, count: count)
        }
        let width = (Double(end.nanoseconds) - Double(begin.nanoseconds)) / Double(count)
        var (sums, numbers) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
        for point in chart.points where point.average.isFinite {
            let place = (Double(point.time.nanoseconds) - Double(begin.nanoseconds)) / width
            let last = place + Double(chart.step.value) / width
            // What was read at the end holds in the last column.
            guard last > 0, place <= Double(count) else { continue }
            let first = min(count - 1, Int(max(0, place)))
            for column in first...max(first, min(count - 1, Int(last.rounded(.up)) - 1)) {
                sums[column] += point.average
                numbers[column] += 1
            }
        }
        return zip(sums, numbers).map { $1 > 0 ? $0 / $1 : nil }
    }

    /// The next number of the form 1, 2 or 5 times a power of ten.
    private static func round(_ value: Double) -> Double {
        guard value.isFinite, value > 0, value < 1e300, value > 1e-300 else { return 1 }
        var unit = 1.0
        while unit * 10 <= value { unit *= 10 }
        while unit > value { unit /= 10 }
        for step in [1.0, 2, 5] where value <= step * unit { return step * unit }
        return 10 * unit
    }

    // MARK: Dots

    private func dots(isFilled: Bool) -> [String] {
        var cells = [[UInt32]](repeating: [UInt32](repeating: Self.blank, count: columns), count: rows)
        var before: Int?
        for (column, value) in values.enumerated() {
            let height = value.map(height)
            if let height {
                let lowest = isFilled ? 0 : min(height, before ?? height)
                for dot in lowest...max(height, isFilled ? height : before ?? height) {
                    let bits = column % 2 == 0 ? Self.left : Self.right
                    cells[rows - 1 - dot / 4][column / 2] |= bits[dot % 4]
                }
            }
            before = height
        }
        return cells.map { row in
            var text = String.UnicodeScalarView()
            for cell in row {
                // A character without dots has a width that differs between fonts.
                text.append(cell == Self.blank ? " " : Unicode.Scalar(cell) ?? " ")
            }
            return String(text)
        }
    }

    /// The number of the dot that a value reaches, from the bottom.
    private func height(_ value: Double) -> Int {
        Int(max(0, min(1, value / top)) * Double(4 * rows - 1) + 0.5)
    }

    // MARK: Bars

    private var bars: [String] {
        let eighths = (0..<columns).map { column in
            let both = values[(2 * column)..<min(2 * column + 2, values.count)].compactMap(\.self)
            guard !both.isEmpty else { return 0 }
            let share = max(0, min(1, both.reduce(0, +) / Double(both.count) / top))
            // What is zero is known, and so is not empty.
            return max(1, Int(share * Double(8 * rows) + 0.5))
        }
        return (0..<rows).reversed().map { row in
            String(eighths.map { Self.blocks[max(0, min(8, $0 - 8 * row))] })
        }
    }
}
