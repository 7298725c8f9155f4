/// One program header, elf.h: Elf64_Phdr.
struct ELFSegment: Hashable {
    static let size = 56
    private static let load: UInt32 = 1
    private static let dynamic: UInt32 = 2
    private static let stack: UInt32 = 0x6474_E551
    private static let executable: UInt32 = 1

    let type: UInt32
    let flags: UInt32
    let offset: UInt64
    let address: UInt64
    let fileSize: UInt64
    let memorySize: UInt64
    let alignment: UInt64

    init(_ table: [UInt8], at position: Int, fileSize limit: UInt64) throws(ELFFlaw) {
        guard
            let type = table.littleEndian(UInt32.self, at: position),
            let flags = table.littleEndian(UInt32.self, at: position + 4),
            let offset = table.littleEndian(UInt64.self, at: position + 8),
            let address = table.littleEndian(UInt64.self, at: position + 16),
            let fileSize = table.littleEndian(UInt64.self, at: position + 32),
            let memorySize = table.littleEndian(UInt64.self, at: position + 40),
            let alignment = table.littleEndian(UInt64.self, at: position + 48)
        else { throw .broken("a program header is cut short") }
        self.type = type
        self.flags = flags
        self.offset = offset
        self.address = address
        self.fileSize = fileSize
        self.memorySize = memorySize
        self.alignment = alignment
        let (end, overflow) = offset.addingReportingOverflow(fileSize)
        guard !overflow, end <= limit else { throw .broken("a segment ends outside the file") }
    }

    /// Refuses what the dynamic linker would map into the wrong place or read beyond the mapping.
    static func check(_ segments: [ELFSegment]) throws(ELFFlaw) {
        // PT_GNU_STACK: the linker would make every stack of the process executable for this one object.
        guard !segments.contains(where: { $0.type == stack && $0.flags & executable != 0 }) else {
            throw .foreign("it asks for an executable stack")
        }
        var end: UInt64 = 0
        let loaded = segments.filter { $0.type == load }
        guard !loaded.isEmpty else { throw .broken("it has nothing to load") }
        for segment in loaded {
            try segment.checkMapping()
            // glibc takes the span from the first to the last one and relies on this order.
            guard segment.address >= end else { throw .broken("its segments overlap or are out of order") }
            end = segment.address + segment.memorySize
        }
        let tables = segments.filter { $0.type == dynamic }
        guard let table = tables.first, tables.count == 1 else { throw .broken("it has no dynamic section") }
        guard table.fileSize % 16 == 0, loaded.contains(where: { $0.holds(table) }) else {
            throw .broken("its dynamic section is not in what is loaded")
        }
    }

    private func checkMapping() throws(ELFFlaw) {
        guard fileSize <= memorySize else { throw .broken("a segment is larger in the file than in memory") }
        // 47 bits: no address of user space is larger.
        let (end, overflow) = address.addingReportingOverflow(memorySize)
        guard !overflow, end < 1 << 47 else { throw .broken("a segment lies outside the address space") }
        guard alignment >= 4096, alignment & (alignment - 1) == 0, alignment <= 1 << 30 else {
            throw .broken("a segment is aligned to \(alignment)")
        }
        guard address & (alignment - 1) == offset & (alignment - 1) else {
            throw .broken("a segment's address does not fit its place in the file")
        }
    }

    private func holds(_ other: ELFSegment) -> Bool {
        guard other.address >= address, other.offset >= offset else { return false }
        let distance = other.address - address
        return distance == other.offset - offset && distance <= fileSize && other.fileSize <= fileSize - distance
    }
}
