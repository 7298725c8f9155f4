/// Output whose times were replaced, so that two runs can be compared.
enum TimelessText {
    /// The formats that write one point per line.
    enum Format: String, CaseIterable {
        case json
        case influx
        case prometheus
    }

    /// The batches in a text, each without its times, in order.
    ///
    /// The points of one collection share their time; a batch ends where the time changes.
    static func batches(_ text: String, _ format: Format) -> [(time: String, text: String)] {
        var batches: [(time: String, text: String)] = []
        var comments = ""
        for line in PointLine.whole(text) {
            guard !line.hasPrefix("#") else {
                comments += "\(line)\n"
                continue
            }
            let (time, rest) = split(line, format)
            if batches.last?.time != time { batches.append((time, "")) }
            batches[batches.count - 1].text += "\(comments)\(rest)\n"
            comments = ""
        }
        return batches
    }

    private static func split(_ line: Substring, _ format: Format) -> (time: String, rest: String) {
        switch format {
        case .json:
            let start = line.dropFirst(#"{"time":""#.count)
            let time = start.prefix { $0 != "\"" }
            return (String(time), #"{"time":"<time>"# + String(start.dropFirst(time.count)))
        case .influx, .prometheus:
            guard let space = line.lastIndex(of: " ") else { return ("", String(line)) }
            return (String(line[line.index(after: space)...]), "\(line[..<space]) <time>")
        }
    }
}
