/// Reads the wire format of Protocol Buffers, independently of what writes it.
struct ProtobufReader {
    enum Value: Equatable {
        case varint(UInt64)
        case fixed(UInt64)
        case bytes([UInt8])
    }

    struct Field: Equatable {
        let number: Int
        let value: Value

        var message: [Field] {
            get throws {
                guard case .bytes(let bytes) = value else { throw Malformed() }
                return try ProtobufReader.fields(bytes)
            }
        }

        var text: String {
            guard case .bytes(let bytes) = value else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }

        var integer: Int64? {
            guard case .varint(let bits) = value else { return nil }
            return Int64(bitPattern: bits)
        }

        var double: UInt64? {
            guard case .fixed(let bits) = value else { return nil }
            return bits
        }
    }

    struct Malformed: Error {}

    static func fields(_ bytes: [UInt8]) throws -> [Field] {
        var rest = bytes[...]
        var fields: [Field] = []
        while !rest.isEmpty {
            let tag = try varint(&rest)
            let number = Int(tag >> 3)
            switch tag & 7 {
            case 0: fields.append(Field(number: number, value: .varint(try varint(&rest))))
            case 1:
                guard rest.count >= 8 else { throw Malformed() }
                let bits = rest.prefix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
                fields.append(Field(number: number, value: .fixed(bits)))
                rest = rest.dropFirst(8)
            case 2:
                let length = Int(try varint(&rest))
                guard rest.count >= length else { throw Malformed() }
                fields.append(Field(number: number, value: .bytes(Array(rest.prefix(length)))))
                rest = rest.dropFirst(length)
            default: throw Malformed()
            }
        }
        return fields
    }

    static func varints(_ bytes: [UInt8]) throws -> [Int] {
        var rest = bytes[...]
        var values: [Int] = []
        while !rest.isEmpty { values.append(Int(try varint(&rest))) }
        return values
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) throws -> UInt64 {
        var (value, shift) = (0 as UInt64, 0)
        while let byte = rest.popFirst() {
            value |= UInt64(byte & 0x7f) << shift
            guard byte & 0x80 != 0 else { return value }
            shift += 7
            guard shift < 64 else { throw Malformed() }
        }
        throw Malformed()
    }
}
