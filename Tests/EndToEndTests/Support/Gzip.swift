import SondeGzip

/// What receivers get packed.
enum Gzip {
    /// The bytes of one stream; nothing where it is broken.
    static func unpacked(_ packed: [UInt8]) -> [UInt8] {
        guard let inflater = Inflater() else { return [] }
        var output: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        var rest = packed[...]
        while true {
            let step = rest.withUnsafeBytes { input in
                block.withUnsafeMutableBytes { try? inflater.inflate(input, into: $0) }
            }
            guard let step else { return [] }
            output += block[..<step.produced]
            rest = rest.dropFirst(step.consumed)
            if step.isAtEnd { return output }
            if step.produced == 0, step.consumed == 0 { return [] }
        }
    }
}
