import SondeDomain

extension SourceText {
    /// The place of the `${` of that number in the text of a value; the value's own place when it is written otherwise.
    func place(ofReference ordinal: Int, in node: YAMLNode) -> SourceMark {
        var count = 0
        for line in max(1, node.mark.line)...max(1, node.mark.line, min(node.end.line, lines.count)) {
            guard lines.indices.contains(line - 1) else { break }
            var column = 0
            var last: Unicode.Scalar?
            for scalar in lines[line - 1].unicodeScalars {
                column += 1
                let isInside = line > node.mark.line || column > node.mark.column
                if isInside, scalar == "{", last == "$" {
                    if count == ordinal { return SourceMark(file: file, line: line, column: column - 1) }
                    count += 1
                }
                last = scalar
            }
        }
        return node.mark
    }
}
