/// A change of the kind that a row of docs/guide/where-to-change.md speaks of, as `git diff -U1` has it.
struct RecordedChange {
    /// What it does to one file.
    struct File: Hashable {
        let path: String
        /// Whether the change makes the file.
        let isNew: Bool
        /// For each place the lines that stand there now.
        var places: [[Substring]] = []
    }

    private(set) var files: [File] = []

    /// Reads a patch.
    init(_ patch: String) {
        var isNew = false
        for line in patch.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("--- ") {
                isNew = line == "--- /dev/null"
            } else if line.hasPrefix("+++ b/") {
                files.append(File(path: String(line.dropFirst(6)), isNew: isNew))
            } else if let last = files.indices.last {
                take(line, of: last)
            }
        }
    }

    private mutating func take(_ line: Substring, of file: Int) {
        if line.hasPrefix("diff ") { return }
        if line.hasPrefix("@@ ") { return files[file].places.append([]) }
        guard let place = files[file].places.indices.last, line.hasPrefix(" ") || line.hasPrefix("-") else { return }
        files[file].places[place].append(line.dropFirst())
    }

    /// The paths of the files that it touches.
    var paths: Set<String> { Set(files.map(\.path)) }

    /// Why it cannot be made any more; empty: it can.
    ///
    /// `text` is the text of a file, nil: there is none. Places are looked for in their order, wherever they have moved to.
    func faults(_ text: (String) -> String?) -> [String] {
        files.compactMap { file in
            guard !file.isNew else { return text(file.path) == nil ? nil : "\(file.path) is there already" }
            guard let text = text(file.path) else { return "\(file.path) is not there" }
            var rest = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
            for place in file.places {
                let start = rest.indices.first { rest[$0...].starts(with: place) }
                guard let start else { return "\(file.path) has no lines \(place)" }
                rest = rest[(start + place.count)...]
            }
            return nil
        }
    }
}
