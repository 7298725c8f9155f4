/// One section header, elf.h: Elf64_Shdr.
struct ELFSection: Hashable {
    static let size = 64
    private static let unused: UInt32 = 0
    private static let noBits: UInt32 = 8

    let type: UInt32
    let offset: UInt64
    let size: UInt64
    private let nameOffset: UInt32
    private(set) var name = ""

    /// Whether the section has bytes in the file.
    var hasContent: Bool { type != Self.unused && type != Self.noBits }

    init(_ table: [UInt8], at position: Int, fileSize limit: UInt64) throws(ELFFlaw) {
        guard
            let nameOffset = table.littleEndian(UInt32.self, at: position),
            let type = table.littleEndian(UInt32.self, at: position + 4),
            let offset = table.littleEndian(UInt64.self, at: position + 24),
            let size = table.littleEndian(UInt64.self, at: position + 32)
        else { throw .broken("a section header is cut short") }
        self.nameOffset = nameOffset
        self.type = type
        self.offset = offset
        self.size = size
        guard hasContent else { return }
        let (end, overflow) = offset.addingReportingOverflow(size)
        guard !overflow, end <= limit else { throw .broken("a section ends outside the file") }
    }

    mutating func resolveName(in names: [UInt8]) throws(ELFFlaw) {
        guard let name = Int(exactly: nameOffset).flatMap({ names.text(at: $0) }) else {
            throw .broken("a section has no name")
        }
        self.name = name
    }
}
