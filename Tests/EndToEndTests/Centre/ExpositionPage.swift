/// The last sample of each series as the file sink writes it in Prometheus' text format.
enum ExpositionPage {
    /// The samples of a page by their series, as ``MetricServer/key(_:)`` names it.
    static func samples(_ text: String) -> [String: MetricServer.Sample] {
        var samples: [String: MetricServer.Sample] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let (labels, rest) = labels(of: line) else { continue }
            let words = rest.split(separator: " ")
            guard words.count == 2, let time = Int64(words[1]) else { continue }
            let value = words[0] == "+Inf" ? .infinity : Double(words[0]) ?? .nan
            samples[MetricServer.key(labels)] = MetricServer.Sample(milliseconds: time, value: value)
        }
        return samples
    }

    private static func labels(of line: Substring) -> (labels: [String: String], rest: Substring)? {
        guard let brace = line.firstIndex(of: "{") else {
            guard let space = line.firstIndex(of: " ") else { return nil }
            return (["__name__": String(line[..<space])], line[space...])
        }
        var labels = ["__name__": String(line[..<brace])]
        var index = line.index(after: brace)
        while line[index] != "}" {
            guard let equals = line[index...].firstIndex(of: "=") else { return nil }
            let name = line[index..<equals]
            var value = ""
            index = line.index(equals, offsetBy: 2)
            while line[index] != "\"" {
                if line[index] == "\\" {
                    index = line.index(after: index)
                    value.append(line[index] == "n" ? "\n" : line[index])
                } else {
                    value.append(line[index])
                }
                index = line.index(after: index)
            }
            labels[String(name)] = value
            index = line.index(after: index)
            if line[index] == "," { index = line.index(after: index) }
        }
        return (labels, line[line.index(after: index)...])
    }
}
