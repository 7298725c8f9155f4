extension JSONValue {
    /// The value as text that people read: one member or element per line, those of empty ones and of lists of single
    /// values on one line; with a final line break.
    public var indentedBytes: [UInt8] {
        var buffer = ByteBuffer()
        write(to: &buffer, depth: 0)
        buffer.append(0x0a)
        return buffer.bytes
    }

    private func write(to buffer: inout ByteBuffer, depth: Int) {
        switch self {
        case .object(let members) where !members.isEmpty:
            Self.write(members, 0x7b, 0x7d, to: &buffer, depth: depth) { member, buffer in
                buffer.append(jsonString: member.key)
                buffer.append(literal: ": ")
                member.value.write(to: &buffer, depth: depth + 1)
            }
        case .array(let elements) where elements.contains(where: \.isNested):
            Self.write(elements, 0x5b, 0x5d, to: &buffer, depth: depth) { element, buffer in
                element.write(to: &buffer, depth: depth + 1)
            }
        case .array(let elements):
            buffer.append(0x5b)
            for (index, element) in elements.enumerated() {
                if index > 0 { buffer.append(literal: ", ") }
                element.write(to: &buffer, depth: depth)
            }
            buffer.append(0x5d)
        default:
            var json = JSONWriter()
            json.value(self)
            buffer.append(json.bytes)
        }
    }

    private var isNested: Bool {
        switch self {
        case .object, .array: true
        default: false
        }
    }

    private static func write<Element>(
        _ elements: [Element], _ open: UInt8, _ close: UInt8, to buffer: inout ByteBuffer, depth: Int,
        _ body: (Element, inout ByteBuffer) -> Void
    ) {
        buffer.append(open)
        for (index, element) in elements.enumerated() {
            if index > 0 { buffer.append(0x2c) }
            startLine(&buffer, depth + 1)
            body(element, &buffer)
        }
        startLine(&buffer, depth)
        buffer.append(close)
    }

    private static func startLine(_ buffer: inout ByteBuffer, _ depth: Int) {
        buffer.append(0x0a)
        for _ in 0..<depth { buffer.append(literal: "  ") }
    }
}
