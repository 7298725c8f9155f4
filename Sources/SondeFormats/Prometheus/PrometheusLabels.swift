internal import SondeDomain

/// The tags of a series as Prometheus labels: `a="b",c="d"`.
struct PrometheusLabels {
    private let pairs: [(name: String, values: [String])]

    /// The labels of a series.
    ///
    /// Names that become the same share their values, joined with `;`. `le` belongs to the format in histograms, so an
    /// attribute of that name becomes `exported_le`.
    init(_ series: Series, _ resource: Resource) {
        var pairs: [(name: String, values: [String])] = []
        var places: [String: Int] = [:]
        for tag in TagSet(series, resource).tags {
            var name = Self.name(tag.name)
            if name == "le", series.kind == .histogram { name = "exported_le" }
            if let place = places[name] {
                pairs[place].values.append(tag.value)
            } else {
                places[name] = pairs.count
                pairs.append((name, [tag.value]))
            }
        }
        self.pairs = pairs
    }

    /// Appends the labels without braces.
    func append(to buffer: inout ByteBuffer) {
        for (index, pair) in pairs.enumerated() {
            if index > 0 { buffer.append(0x2c) }
            buffer.append(pair.name)
            buffer.append(literal: "=\"")
            for byte in pair.values.joined(separator: ";").utf8 {
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
