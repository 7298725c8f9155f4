internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeFormats

/// The dead letters of one sink on disk, for reading only.
///
/// A file's first line is the heading (`sonde.dead_letter/1`), its second the exact form of the batch
/// (`sonde.dead_letter.exact/1`); the JSON lines of the batch follow. May be used from any thread: files are replaced
/// whole, and may vanish.
struct DeadLetterFolder: Sendable {
    /// One file.
    struct File: Hashable {
        let name: String
        let bytes: Int64
        let modified: Int64
    }

    static let suffix = ".jsonl"
    static let exactSchema = "sonde.dead_letter.exact/1"
    // A message is bounded long before; what is longer is no heading.
    private static let headingLimit = 64 << 10
    // The exact form of 16 MiB in base64, and the lines of that many points.
    private static let fileLimit = 1 << 30

    let directory: String

    /// Whether a text may be the name of a dead letter: nothing that leads out of the folder.
    static func isName(_ name: String) -> Bool {
        guard name.hasSuffix(suffix), name.utf8.count <= 200, name.utf8.first != UInt8(ascii: ".") else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                true
            default: false
            }
        }
    }

    func path(_ name: String) -> String { "\(directory)/\(name)" }

    /// The names of the dead letters, in the order of their texts: within an epoch the oldest first.
    var names: [String] {
        ((try? PosixFileReader().names(inDirectory: directory)) ?? []).filter(Self.isName).sorted()
    }

    /// A file's size and age; nil when it is not there.
    func file(_ name: String) -> File? {
        var status = stat()
        guard lstat(path(name), &status) == 0 else { return nil }
        let modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        return File(name: name, bytes: Int64(status.st_size), modified: modified)
    }

    /// A dead letter's heading, with the resource of its batch.
    func heading(of name: String) -> (heading: DeadLetterHeading, resource: Resource)? {
        guard Self.isName(name), var lines = LineReader(path(name)),
            let line = lines.next(limit: Self.headingLimit), let json = try? JSONReader.parse(line),
            let heading = DeadLetterHeading(json)
        else { return nil }
        return (heading, Resource(json))
    }

    /// The bytes of the exact form; nil when it is missing or damaged.
    func exactForm(of name: String) -> [UInt8]? {
        guard Self.isName(name), var lines = LineReader(path(name)), lines.next(limit: Self.headingLimit) != nil,
            let line = lines.next(limit: Self.fileLimit)
        else { return nil }
        // Not through the JSON reader: the text may be longer than any it takes.
        let head = Self.exactHead
        guard line.starts(with: head), line.suffix(2) == Array("\"}".utf8)[...] else { return nil }
        return Base64.decode(line.dropFirst(head.count).dropLast(2))
    }

    /// The JSON lines of a dead letter from line `first` on, at most so many and of about so many bytes.
    func lines(of name: String, from first: Int, count: Int, bytes: Int) -> (lines: [[UInt8]], isEnd: Bool)? {
        guard Self.isName(name), var lines = LineReader(path(name)) else { return nil }
        var found: [[UInt8]] = []
        var size = 0
        var number = 0
        while let line = lines.next(limit: Self.fileLimit) {
            guard !line.starts(with: Array(#"{"schema":"sonde.dead_letter"#.utf8)) else { continue }
            defer { number += 1 }
            guard number >= first else { continue }
            guard found.count < count, size < bytes else { return (found, false) }
            size += line.count
            found.append(line)
        }
        return (found, true)
    }

    static let exactHead = Array(#"{"schema":"\#(exactSchema)","frame":""#.utf8)
}
