import CYAML
import SondeDomain
import SondeEngine

/// libyaml's event parser over bytes in memory.
final class LibYAMLParser {
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let isReady: Bool
    private let file: String

    /// Takes text that was found to be UTF-8 and to have no byte order mark.
    init(_ bytes: some Collection<UInt8>, file: String) {
        self.file = file
        parser.initialize(to: yaml_parser_t())
        input = .allocate(capacity: max(1, bytes.count))
        _ = input.initialize(fromContentsOf: bytes)
        isReady = yaml_parser_initialize(parser) == 1
        guard isReady else { return }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
    }

    deinit {
        if isReady { yaml_parser_delete(parser) }
        parser.deallocate()
        input.deallocate()
    }

    /// The next event; after the end of the stream again the end event.
    func next() throws(ConfigurationProblem) -> YAMLEvent {
        var event = yaml_event_t()
        guard isReady, yaml_parser_parse(parser, &event) == 1 else { throw failure() }
        defer { yaml_event_delete(&event) }
        let properties = properties(of: event)
        return YAMLEvent(
            kind: kind(of: event),
            anchor: properties.anchor.flatMap(text),
            tag: properties.tag.flatMap(text),
            start: mark(event.start_mark),
            end: mark(event.end_mark)
        )
    }

    private func kind(of event: yaml_event_t) -> YAMLEvent.Kind {
        switch event.type {
        case YAML_STREAM_START_EVENT: .streamStart
        case YAML_DOCUMENT_START_EVENT: .documentStart
        case YAML_DOCUMENT_END_EVENT: .documentEnd
        case YAML_ALIAS_EVENT: .alias(event.data.alias.anchor.flatMap(text) ?? "")
        case YAML_SCALAR_EVENT: .scalar(scalar(event))
        case YAML_SEQUENCE_START_EVENT: .sequenceStart
        case YAML_SEQUENCE_END_EVENT: .sequenceEnd
        case YAML_MAPPING_START_EVENT: .mappingStart
        case YAML_MAPPING_END_EVENT: .mappingEnd
        default: .streamEnd
        }
    }

    private func properties(
        of event: yaml_event_t
    ) -> (anchor: UnsafeMutablePointer<UInt8>?, tag: UnsafeMutablePointer<UInt8>?) {
        switch event.type {
        case YAML_SCALAR_EVENT: (event.data.scalar.anchor, event.data.scalar.tag)
        case YAML_SEQUENCE_START_EVENT: (event.data.sequence_start.anchor, event.data.sequence_start.tag)
        case YAML_MAPPING_START_EVENT: (event.data.mapping_start.anchor, event.data.mapping_start.tag)
        default: (nil, nil)
        }
    }

    private func scalar(_ event: yaml_event_t) -> YAMLScalar {
        let data = event.data.scalar
        let bytes = UnsafeBufferPointer(start: data.value, count: data.value == nil ? 0 : data.length)
        let style: YAMLScalar.Style =
            switch data.style {
            case YAML_SINGLE_QUOTED_SCALAR_STYLE, YAML_DOUBLE_QUOTED_SCALAR_STYLE: .quoted
            case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
            default: .plain
            }
        return YAMLScalar(text: String(decoding: bytes, as: UTF8.self), style: style)
    }

    private func failure() -> ConfigurationProblem {
        guard isReady, let problem = parser.pointee.problem else {
            let start = SourceMark(file: file, line: 1, column: 1)
            return ConfigurationProblem(.yamlSyntax, at: start, "the YAML parser ran out of memory")
        }
        var message = String(cString: problem)
        if let context = parser.pointee.context {
            message += " \(String(cString: context))"
            let line = mark(parser.pointee.context_mark).line
            if line != mark(parser.pointee.problem_mark).line { message += " that begins in line \(line)" }
        }
        return ConfigurationProblem(.yamlSyntax, at: mark(parser.pointee.problem_mark), message)
    }

    private func mark(_ mark: yaml_mark_t) -> SourceMark {
        SourceMark(file: file, line: Int(clamping: mark.line) &+ 1, column: Int(clamping: mark.column) &+ 1)
    }

    private func text(_ pointer: UnsafeMutablePointer<UInt8>) -> String {
        String(cString: pointer)
    }
}
