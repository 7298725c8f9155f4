/// A 64-bit little-endian shared object for this machine, as its headers describe it.
///
/// Only describes: nothing of the object runs. Every offset and size comes from a hostile file and is checked against
/// it before use, so a value of this type means that headers, segments and sections are within the file. Layout:
/// System V ABI, chapters 4 and 5; `/usr/include/elf.h`.
struct ELFFile<Bytes: RandomAccessBytes> {
    let segments: [ELFSegment]
    let sections: [ELFSection]
    private let bytes: Bytes

    init(_ bytes: Bytes) throws(ELFFlaw) {
        let header = try ELFHeader(bytes)
        self.bytes = bytes
        segments = try Self.segments(header, bytes)
        sections = try Self.sections(header, bytes)
        try ELFSegment.check(segments)
    }

    /// The content of the section of that name, or nil when there is none.
    ///
    /// A section of no content in the file or of more than `limit` bytes is a flaw.
    func content(ofSection name: String, limit: UInt64) throws(ELFFlaw) -> [UInt8]? {
        let named = sections.filter { $0.name == name }
        guard let section = named.first else { return nil }
        guard named.count == 1 else { throw .broken("it has \(named.count) sections \(name)") }
        guard section.hasContent else { throw .broken("section \(name) has no content in the file") }
        guard section.size <= limit, let size = Int(exactly: section.size) else {
            throw .broken("section \(name) has \(section.size) bytes, more than \(limit)")
        }
        guard let content = bytes.read(at: section.offset, count: size) else {
            throw .broken("section \(name) cannot be read")
        }
        return content
    }

    private static func segments(_ header: ELFHeader, _ bytes: Bytes) throws(ELFFlaw) -> [ELFSegment] {
        let table = try table(header.segments, of: "program headers", bytes)
        var segments: [ELFSegment] = []
        for index in 0..<header.segments.count {
            segments.append(try ELFSegment(table, at: index * header.segments.entrySize, fileSize: bytes.byteCount))
        }
        return segments
    }

    private static func sections(_ header: ELFHeader, _ bytes: Bytes) throws(ELFFlaw) -> [ELFSection] {
        guard header.sections.count > 0 else { return [] }
        let table = try table(header.sections, of: "section headers", bytes)
        var sections: [ELFSection] = []
        for index in 0..<header.sections.count {
            sections.append(try ELFSection(table, at: index * header.sections.entrySize, fileSize: bytes.byteCount))
        }
        guard header.nameSection < sections.count else { throw .broken("the section of names does not exist") }
        let names = try names(sections[header.nameSection], bytes)
        for index in sections.indices { try sections[index].resolveName(in: names) }
        return sections
    }

    private static func names(_ section: ELFSection, _ bytes: Bytes) throws(ELFFlaw) -> [UInt8] {
        guard section.hasContent, section.size <= 1 << 20, let size = Int(exactly: section.size),
            let names = bytes.read(at: section.offset, count: size), names.last == 0
        else { throw .broken("the section of names is unreadable") }
        return names
    }

    private static func table(
        _ table: ELFHeader.Table,
        of what: String,
        _ bytes: Bytes
    ) throws(ELFFlaw) -> [UInt8] {
        let size = table.count * table.entrySize
        guard let content = bytes.read(at: table.offset, count: size) else {
            throw .broken("its \(what) lie outside the file")
        }
        return content
    }
}
