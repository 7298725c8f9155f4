public import SondeDomain

extension OptionValues {
    /// The place of an option as a plugin names it: `url`, `tls.ca_file`, `hosts[2]`.
    ///
    /// An option that the file does not set has the place of its nearest ancestor that is set, or of the entry of the
    /// source or sink itself, whose path is empty. Nil when the options did not come from a file.
    public func mark(for optionPath: String) -> SourceMark? {
        var path = optionPath[...]
        while true {
            if let mark = marks[String(path)] { return mark }
            guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return marks[""] }
            path = path[..<end]
        }
    }
}
