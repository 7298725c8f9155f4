import Testing

/// A reader of the text format that shares nothing with the encoder: splits lines by the format's own grammar and
/// refuses what a scraper would refuse.
struct ExpositionText {
    struct Sample: Equatable {
        var name: String
        var labels: [String: String]
        var value: String
        var time: String
    }

    private(set) var samples: [Sample] = []
    private(set) var types: [String: String] = [:]

    init(_ text: String) throws {
        try #require(text.isEmpty || text.hasSuffix("\n"))
        var current = ""
        // By bytes: "\r\n" is one character to Swift, and no line break to Prometheus.
        for line in text.utf8.split(separator: 0x0a).compactMap({ String($0) }) {
            if line.hasPrefix("# TYPE ") {
                let words = line.dropFirst(7).split(separator: " ").map(String.init)
                try #require(words.count == 2)
                try #require(types[words[0]] == nil, "a family occurs twice: \(line)")
                types[words[0]] = words[1]
                current = words[0]
                continue
            }
            let sample = try Self.sample(line)
            let suffixes = types[current] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
            try #require(suffixes.contains { sample.name == current + $0 }, "stands outside of its family: \(line)")
            samples.append(sample)
        }
    }

    private static func sample(_ line: String) throws -> Sample {
        let pattern = /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?s:.*))\})? (\S+) (-?\d+)/.matchingSemantics(.unicodeScalar)
        let labelPattern = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(,|$)/.matchingSemantics(.unicodeScalar)
        let match = try #require(try pattern.wholeMatch(in: line), "\(line)")
        var labels: [String: String] = [:]
        var rest = Substring(match.2 ?? "")
        while !rest.isEmpty {
            let label = try #require(try labelPattern.prefixMatch(in: rest), "\(line)")
            let name = String(label.1)
            try #require(labels[name] == nil && !name.hasPrefix("__"), "\(line)")
            labels[name] = unescape(label.2)
            rest = rest[label.range.upperBound...]
        }
        return Sample(name: String(match.1), labels: labels, value: String(match.3), time: String(match.4))
    }

    private static func unescape(_ text: Substring) -> String {
        var result = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                result.append(scalar == "n" ? "\n" : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
