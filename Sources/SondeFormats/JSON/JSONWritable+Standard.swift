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
