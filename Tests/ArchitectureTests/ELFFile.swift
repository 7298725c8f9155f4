import Foundation

/// The names of the shared libraries that a 64-bit little-endian ELF file asks for.
///
/// Layout: elf(5), `Elf64_Ehdr`, `Elf64_Shdr` and `Elf64_Dyn`.
struct ELFFile {
    struct NotAnELFFile: Error {}

    private struct Section {
        let type: UInt32
        let offset: Int
        let size: Int
        let link: Int
    }

    private let bytes: Data

    init(_ url: URL) throws {
        bytes = try Data(contentsOf: url)
        guard bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]), bytes.count >= 64 else { throw NotAnELFFile() }
    }

    /// The DT_NEEDED entries.
    var neededLibraries: [String] { strings(ofTag: 1) }

    /// The DT_RPATH and DT_RUNPATH entries.
    var searchPaths: [String] { strings(ofTag: 15) + strings(ofTag: 29) }

    private func strings(ofTag wanted: UInt64) -> [String] {
        let all = sections
        return all.filter { $0.type == 6 }.flatMap { dynamic in
            let names = all.indices.contains(dynamic.link) ? all[dynamic.link].offset : 0
            return stride(from: dynamic.offset, to: dynamic.offset + dynamic.size, by: 16)
                .filter { number($0, as: UInt64.self) == wanted }
                .map { string(at: names + Int(number($0 + 8, as: UInt64.self))) }
        }
    }

    private var sections: [Section] {
        let table = Int(number(40, as: UInt64.self))
        let size = Int(number(58, as: UInt16.self))
        return (0..<Int(number(60, as: UInt16.self))).map { index in
            let header = table + index * size
            return Section(
                type: number(header + 4, as: UInt32.self),
                offset: Int(number(header + 24, as: UInt64.self)),
                size: Int(number(header + 32, as: UInt64.self)),
                link: Int(number(header + 40, as: UInt32.self))
            )
        }
    }

    private func number<Number: FixedWidthInteger>(_ offset: Int, as type: Number.Type) -> Number {
        let range = offset..<(offset + MemoryLayout<Number>.size)
        return bytes[range].reversed().reduce(0) { $0 << 8 | Number($1) }
    }

    private func string(at offset: Int) -> String {
        String(decoding: bytes[offset...].prefix { $0 != 0 }, as: UTF8.self)
    }
}
