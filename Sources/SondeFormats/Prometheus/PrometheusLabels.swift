internal import SondeDomain

/// The labels of a series as the text formats write them: `a="b",c="d"`.
enum PrometheusLabels {
    /// Appends labels without braces.
    static func append(_ labels: [Attribute], to buffer: inout ByteBuffer) {
        for (index, label) in labels.enumerated() {
            if index > 0 { buffer.append(0x2c) }
            buffer.append(label.name)
            buffer.append(literal: "=\"")
            for byte in label.value.utf8 {
                switch byte {
                case 0x5c: buffer.append(literal: #"\\"#)
                case 0x22: buffer.append(literal: #"\""#)
                case 0x0a: buffer.append(literal: #"\n"#)
                default: buffer.append(byte)
                }
            }
            buffer.append(0x22)
        }
    }

    /// The label name for an attribute's name: letters, digits and single underscores.
    static func name(_ name: String) -> String {
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case 0x30...0x39:
                if bytes.isEmpty { bytes = Array("key_".utf8) }
                bytes.append(byte)
            case 0x41...0x5a, 0x61...0x7a: bytes.append(byte)
            default:
                if bytes.last != 0x5f { bytes.append(0x5f) }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
