/// Any JSON value; integers stay exact and objects keep their order.
public enum JSONValue: Hashable, Sendable {
    /// One member of an object.
    public struct Member: Hashable, Sendable {
        /// The name.
        public let key: String
        /// The value.
        public let value: JSONValue

        /// A member.
        public init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without fraction and exponent within 64 bits, signed.
    case integer(Int64)
    /// A number without fraction and exponent above `Int64.max`.
    case unsigned(UInt64)
    /// Any other number, finite.
    case double(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// The members of an object in their order; a name may occur twice.
    case object([Member])
}

extension JSONValue {
    /// The member of an object with that name, the last one if there are several; nil for anything else.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// Whether it is `null`.
    public var isNull: Bool { self == .null }

    /// The boolean, or nil.
    public var asBool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The number if it is an integer of 64 bits, or nil.
    public var asInt64: Int64? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    /// The number if it is an integer that is not negative, or nil.
    public var asUInt64: UInt64? {
        switch self {
        case .integer(let value): UInt64(exactly: value)
        case .unsigned(let value): value
        default: nil
        }
    }

    /// The number, rounded where it must be, or nil.
    public var asDouble: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The string, or nil.
    public var asString: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The elements of an array, or nil.
    public var asArray: [JSONValue]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The members of an object, or nil.
    public var asObject: [Member]? {
        guard case .object(let value) = self else { return nil }
        return value
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    /// A string.
    public init(stringLiteral text: String) {
        self = .string(text)
    }
}
