/// The file header of an ELF file, elf.h: Elf64_Ehdr.
struct ELFHeader {
    /// The position of a table of headers in the file.
    struct Table {
        let offset: UInt64
        let count: Int
        let entrySize: Int
    }

    static let size = 64
    /// More than any linker makes; real objects have about 10 and 40.
    static let segmentLimit = 256
    static let sectionLimit = 16_384

    let segments: Table
    let sections: Table
    /// Index of the section that holds the names of sections.
    let nameSection: Int

    init(_ bytes: some RandomAccessBytes) throws(ELFFlaw) {
        guard let magic = bytes.read(at: 0, count: 4), magic == [0x7F, 0x45, 0x4C, 0x46] else { throw .notELF }
        guard let header = bytes.read(at: 0, count: Self.size) else { throw .broken("its header is cut short") }
        try Self.checkIdentity(header)
        guard
            let segmentOffset = header.littleEndian(UInt64.self, at: 32),
            let sectionOffset = header.littleEndian(UInt64.self, at: 40),
            let headerSize = header.littleEndian(UInt16.self, at: 52),
            let segmentSize = header.littleEndian(UInt16.self, at: 54),
            let segmentCount = header.littleEndian(UInt16.self, at: 56),
            let sectionSize = header.littleEndian(UInt16.self, at: 58),
            let sectionCount = header.littleEndian(UInt16.self, at: 60),
            let nameSection = header.littleEndian(UInt16.self, at: 62)
        else { throw .broken("its header is cut short") }
        guard headerSize == Self.size, segmentSize == ELFSegment.size else {
            throw .broken("its headers have sizes that no 64-bit object has")
        }
        guard sectionCount == 0 || sectionSize == ELFSection.size else {
            throw .broken("its section headers have \(sectionSize) bytes each")
        }
        guard (1...Self.segmentLimit).contains(Int(segmentCount)), sectionCount <= Self.sectionLimit else {
            throw .broken("it has \(segmentCount) segments and \(sectionCount) sections")
        }
        segments = Table(offset: segmentOffset, count: Int(segmentCount), entrySize: ELFSegment.size)
        sections = Table(offset: sectionOffset, count: Int(sectionCount), entrySize: ELFSection.size)
        self.nameSection = Int(nameSection)
    }

    private static func checkIdentity(_ header: [UInt8]) throws(ELFFlaw) {
        guard header[4] == 2 else { throw .foreign("it is no 64-bit object") }
        guard header[5] == 1 else { throw .foreign("it is no little-endian object") }
        guard header[6] == 1, header.littleEndian(UInt32.self, at: 20) == 1 else {
            throw .foreign("it has an unknown ELF version")
        }
        // ELFOSABI_SYSV and ELFOSABI_GNU: what glibc loads.
        guard header[7] == 0 || header[7] == 3 else { throw .foreign("it is made for another system") }
        let machine = header.littleEndian(UInt16.self, at: 18) ?? 0
        guard machine == Self.machine else { throw .foreign("it is made for machine \(machine), not \(Self.machine)") }
        // ET_DYN.
        guard header.littleEndian(UInt16.self, at: 16) == 3 else { throw .foreign("it is no shared object") }
    }

    /// The e_machine of this machine: EM_X86_64, EM_AARCH64, EM_RISCV.
    static var machine: UInt16 {
        #if arch(x86_64)
            62
        #elseif arch(arm64)
            183
        #elseif arch(riscv64)
            243
        #else
            #error("name this machine's e_machine here")
        #endif
    }
}
