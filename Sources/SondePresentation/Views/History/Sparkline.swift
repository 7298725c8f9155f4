/// Numbers over time as a row of blocks; what is not known is a gap.
enum Sparkline {
    private static let blocks = Array("▁▂▃▄▅▆▇█")

    /// One block for each value, the largest of which is the highest.
    static func text(_ values: [Double?]) -> String {
        let top = values.compactMap(\.self).max() ?? 0
        return String(values.map { block($0, of: top) })
    }

    private static func block(_ value: Double?, of top: Double) -> Character {
        guard let value, value.isFinite else { return " " }
        guard top > 0, value > 0 else { return blocks[0] }
        let place = (value / top * Double(blocks.count - 1)).rounded()
        return blocks[max(0, min(blocks.count - 1, Int(place)))]
    }
}
