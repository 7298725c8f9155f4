import SondeDomain
import SondeEngine

/// Makes a tree of the parser's events, within bounds.
struct YAMLTreeBuilder {
    private let parser: LibYAMLParser
    private let text: SourceText
    private let limits: YAMLLimits
    private var anchors: [String: YAMLNode] = [:]
    private var total = YAMLExtent(values: 0)
    private(set) var problems: [ConfigurationProblem] = []

    init(_ text: SourceText, limits: YAMLLimits) {
        self.text = text
        self.limits = limits
        parser = LibYAMLParser(text.bytes, file: text.file)
    }

    mutating func build() throws(ConfigurationProblem) -> YAMLNode? {
        _ = try next()
        guard case .documentStart = try next().kind else { return nil }
        let root = try node(try next(), depth: 1)
        _ = try next()
        let rest = try next()
        guard case .streamEnd = rest.kind else {
            throw ConfigurationProblem(
                .severalDocuments, at: rest.start, "a second YAML document begins here",
                suggestion: "one file holds one document")
        }
        return root
    }

    private func next() throws(ConfigurationProblem) -> YAMLEvent {
        do {
            return try parser.next()
        } catch {
            throw ConfigurationProblem(error.code, at: error.mark, error.message, suggestion: advice(at: error.mark))
        }
    }

    /// What most likely led to a syntax error.
    private func advice(at mark: SourceMark) -> String? {
        if text.scalar(at: mark) == "\t" { return "indent with spaces, not tabs" }
        let before = text.scalar(at: SourceMark(file: mark.file, line: mark.line, column: mark.column - 1))
        return text.scalar(at: mark) == "{" && before == "$" ? "quote values with '${' inside { } and [ ]" : nil
    }

    private mutating func node(_ event: YAMLEvent, depth: Int) throws(ConfigurationProblem) -> YAMLNode {
        if case .alias(let name) = event.kind { return try alias(name, at: event.start, depth: depth) }
        let node: YAMLNode
        switch event.kind {
        case .scalar(let scalar):
            let extent = YAMLExtent(textBytes: scalar.text.utf8.count)
            try count(extent, depth: depth, at: event.start)
            node = YAMLNode(
                content: .scalar(try tagged(scalar, event)), mark: event.start, end: event.end, extent: extent)
        case .sequenceStart:
            try refuseTag(of: event)
            try count(YAMLExtent(), depth: depth, at: event.start)
            node = try sequence(from: event.start, depth: depth)
        case .mappingStart:
            try refuseTag(of: event)
            try count(YAMLExtent(), depth: depth, at: event.start)
            node = try mapping(from: event.start, depth: depth)
        default:
            throw ConfigurationProblem(.yamlSyntax, at: event.start, "a value is missing here")
        }
        if let anchor = event.anchor { anchors[anchor] = node }
        return node
    }

    private mutating func sequence(from start: SourceMark, depth: Int) throws(ConfigurationProblem) -> YAMLNode {
        var items: [YAMLNode] = []
        var extent = YAMLExtent()
        while true {
            let event = try next()
            if case .sequenceEnd = event.kind {
                return YAMLNode(content: .sequence(items), mark: start, end: event.end, extent: extent)
            }
            let item = try node(event, depth: depth + 1)
            extent.add(item.extent)
            items.append(item)
        }
    }

    private mutating func mapping(from start: SourceMark, depth: Int) throws(ConfigurationProblem) -> YAMLNode {
        var entries: [YAMLEntry] = []
        var places: [String: SourceMark] = [:]
        var extent = YAMLExtent()
        while true {
            let event = try next()
            if case .mappingEnd = event.kind {
                return YAMLNode(content: .mapping(entries), mark: start, end: event.end, extent: extent)
            }
            let key = try key(event)
            let entry = YAMLEntry(key: key, keyMark: event.start, value: try node(try next(), depth: depth + 1))
            extent.add(entry.value.extent)
            extent.textBytes += key.utf8.count
            if let place = places[key] {
                problems.append(.repeated(entry, first: place))
            } else {
                places[key] = event.start
                entries.append(entry)
            }
        }
    }

    private func key(_ event: YAMLEvent) throws(ConfigurationProblem) -> String {
        guard case .scalar(let scalar) = event.kind else {
            throw ConfigurationProblem(.yamlFeature, at: event.start, "a key must be a word")
        }
        _ = try tagged(scalar, event)
        guard scalar.text != "<<" || scalar.style != .plain else {
            throw ConfigurationProblem(
                .yamlFeature, at: event.start, "merge keys ('<<') are not supported",
                suggestion: "write the keys out, or use an alias for a whole value")
        }
        return scalar.text
    }

    /// An alias is counted expanded, so that few lines cannot become millions of values.
    private mutating func alias(
        _ name: String, at mark: SourceMark, depth: Int
    ) throws(ConfigurationProblem) -> YAMLNode {
        guard let node = anchors[name] else {
            throw ConfigurationProblem(
                .yamlSyntax, at: mark, "the alias \(Shown.text("*\(name)")) has no anchor before it")
        }
        try count(node.extent, depth: depth, at: mark)
        return node
    }

    private mutating func count(
        _ extent: YAMLExtent, depth: Int, at mark: SourceMark
    ) throws(ConfigurationProblem) {
        guard depth + extent.height - 1 <= limits.depth else {
            throw ConfigurationProblem(.yamlLimit, at: mark, "values are nested more than \(limits.depth) levels deep")
        }
        total.values += extent.values
        total.textBytes += extent.textBytes
        guard total.values <= limits.nodes, total.textBytes <= limits.textBytes else {
            let bound =
                total.values > limits.nodes
                ? "\(limits.nodes) values" : "\(SizeText.text(of: Int64(limits.textBytes))) of text"
            throw ConfigurationProblem(
                .yamlLimit, at: mark, "the file holds more than \(bound)",
                suggestion: "an alias is counted expanded")
        }
    }

    private func tagged(_ scalar: YAMLScalar, _ event: YAMLEvent) throws(ConfigurationProblem) -> YAMLScalar {
        guard let tag = event.tag else { return scalar }
        guard tag == "!" || tag == "tag:yaml.org,2002:str" else { throw Self.tagProblem(tag, event) }
        return YAMLScalar(text: scalar.text, style: scalar.style == .plain ? .quoted : scalar.style)
    }

    private func refuseTag(of event: YAMLEvent) throws(ConfigurationProblem) {
        if let tag = event.tag { throw Self.tagProblem(tag, event) }
    }

    private static func tagProblem(_ tag: String, _ event: YAMLEvent) -> ConfigurationProblem {
        ConfigurationProblem(
            .yamlFeature, at: event.start, "the YAML tag \(Shown.text(tag)) is not supported",
            suggestion: "write the value without it")
    }
}

extension ConfigurationProblem {
    fileprivate static func repeated(_ entry: YAMLEntry, first: SourceMark) -> ConfigurationProblem {
        ConfigurationProblem(
            .duplicateKey, at: entry.keyMark, "key \(Shown.text(entry.key)) is given twice",
            suggestion: "it is already at \(first)")
    }
}
