/// Something that has a JSON form.
public protocol JSONWritable {
    /// Writes exactly one value.
    func write(to json: inout JSONWriter)
}

/// Writes one JSON text; sets the commas.
///
///     var json = JSONWriter()
///     json.object { json in
///         json.member("name", "eth0")
///         json.member("peak", peak)                       // nil becomes null
///         json.member("receive") { json in json.object { … } }
///     }
///     json.bytes
///
/// Doubles are the shortest text that reads back the same; NaN and infinities become null.
public struct JSONWriter: Sendable {
    /// What was written so far.
    public private(set) var buffer = ByteBuffer()
    private var needsComma = false

    /// A writer without any text.
    public init() {}

    /// What was written so far.
    public var bytes: [UInt8] { buffer.bytes }

    /// Writes an object; the body writes its members.
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        nest(0x7b, 0x7d, body)
    }

    /// Writes an array; the body writes its values.
    public mutating func array(_ body: (inout JSONWriter) -> Void) {
        nest(0x5b, 0x5d, body)
    }

    /// Writes one value.
    public mutating func value(_ value: some JSONWritable) {
        value.write(to: &self)
    }

    /// Writes one member of an object; nil becomes `null`.
    public mutating func member(_ key: String, _ value: some JSONWritable) {
        self.key(key)
        value.write(to: &self)
    }

    /// Writes one member of an object; the body writes exactly one value.
    public mutating func member(_ key: String, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        body(&self)
    }

    /// Writes `null`.
    public mutating func null() {
        token { $0.append(literal: "null") }
    }

    /// Writes a value that is JSON already.
    public mutating func raw(_ json: [UInt8]) {
        token { $0.append(json) }
    }

    /// Writes a scalar's text after its comma.
    mutating func token(_ body: (inout ByteBuffer) -> Void) {
        if needsComma { buffer.append(0x2c) }
        body(&buffer)
        needsComma = true
    }

    private mutating func key(_ key: String) {
        token { $0.append(jsonString: key) }
        buffer.append(0x3a)
        needsComma = false
    }

    private mutating func nest(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
        token { $0.append(open) }
        needsComma = false
        body(&self)
        buffer.append(close)
        needsComma = true
    }
}

extension String: JSONWritable {
    /// Writes a JSON string.
    public func write(to json: inout JSONWriter) {
        json.token { $0.append(jsonString: self) }
    }
}

extension Bool: JSONWritable {
    /// Writes `true` or `false`.
    public func write(to json: inout JSONWriter) {
        json.token { $0.append(literal: self ? "true" : "false") }
    }
}

extension Int: JSONWritable {
    /// Writes a number.
    public func write(to json: inout JSONWriter) {
        json.token { $0.append(decimal: Int64(self)) }
    }
}

extension Int64: JSONWritable {
    /// Writes a number, exactly.
    public func write(to json: inout JSONWriter) {
        json.token { $0.append(decimal: self) }
    }
}

extension UInt64: JSONWritable {
    /// Writes a number, exactly.
    public func write(to json: inout JSONWriter) {
        json.token { $0.append(decimal: self) }
    }
}

extension Double: JSONWritable {
    /// Writes the shortest number that reads back the same; NaN and infinities become `null`.
    public func write(to json: inout JSONWriter) {
        json.token { $0.append(jsonNumber: self) }
    }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    /// Writes the value, or `null`.
    public func write(to json: inout JSONWriter) {
        if let self { self.write(to: &json) } else { json.null() }
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    /// Writes an array.
    public func write(to json: inout JSONWriter) {
        json.array { json in
            for element in self { element.write(to: &json) }
        }
    }
}

extension JSONValue: JSONWritable {
    /// Writes the value; objects keep their order.
    public func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .bool(let value): value.write(to: &json)
        case .integer(let value): value.write(to: &json)
        case .unsigned(let value): value.write(to: &json)
        case .double(let value): value.write(to: &json)
        case .string(let value): value.write(to: &json)
        case .array(let values): values.write(to: &json)
        case .object(let members):
            json.object { json in
                for member in members { json.member(member.key, member.value) }
            }
        }
    }
}
