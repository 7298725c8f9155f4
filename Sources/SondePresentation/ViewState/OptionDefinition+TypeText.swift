public import SondeDomain

extension OptionDefinition {
    /// Its type and range in words: `size 64KiB to 1TiB`, `json | influx`.
    public var typeText: String {
        let text =
            switch type {
            case .string: "string"
            case .choice(let words): words.joined(separator: " | ")
            case .bool: "true | false"
            case .integer(let range): "integer" + Self.words(range) { "\($0)" }
            case .double(let range):
                range.upperBound == .greatestFiniteMagnitude
                    ? "number" : "number \(range.lowerBound) to \(range.upperBound)"
            case .duration(let range):
                "duration"
                    + Self.words(range.lowerBound.value...range.upperBound.value) {
                        DurationText.text(of: Nanoseconds($0))
                    }
            case .size(let range): "size" + Self.words(range, SizeText.text)
            case .list: "list"
            case .map: "map"
            case .entries: "list of maps"
            }
        return isSecret ? "\(text), secret" : text
    }

    /// The ends of a range; one that is no bound is left out.
    private static func words(_ range: ClosedRange<Int64>, _ text: (Int64) -> String) -> String {
        guard range.upperBound < .max else { return range.lowerBound > 0 ? " from \(text(range.lowerBound))" : "" }
        return range.lowerBound == .min
            ? " up to \(text(range.upperBound))" : " \(text(range.lowerBound)) to \(text(range.upperBound))"
    }
}
