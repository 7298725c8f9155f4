import SondeDomain

/// One step of the parser through a document.
struct YAMLEvent {
    enum Kind {
        case streamStart
        case streamEnd
        case documentStart
        case documentEnd
        case alias(String)
        case scalar(YAMLScalar)
        case sequenceStart
        case sequenceEnd
        case mappingStart
        case mappingEnd
    }

    let kind: Kind
    let anchor: String?
    let tag: String?
    let start: SourceMark
    let end: SourceMark
}
