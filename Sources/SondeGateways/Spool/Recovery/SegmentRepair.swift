internal import SondeEngine

/// What a start does to a segment that it could not adopt unchanged.
///
/// Not done before the start has succeeded: a start that fails leaves everything to be found again.
enum SegmentRepair: Hashable {
    /// What follows an offset goes to the quarantine.
    case cut(first: UInt64, offset: Int64)
    /// The file has no readable header: it goes to the quarantine.
    case discard(first: UInt64)
    /// The disk cannot read the file's contents: it is moved to the quarantine as it is.
    case setAside(first: UInt64, size: Int64?)
    /// Another version wrote it: it is renamed.
    case rename(first: UInt64, version: UInt16)
    /// It holds nothing, or its loss was reported before.
    case remove(first: UInt64)

    /// The number that the segment is named after.
    var first: UInt64 {
        switch self {
        case .cut(let first, _), .discard(let first), .setAside(let first, _), .rename(let first, _),
            .remove(let first):
            first
        }
    }
}

extension DiskLog {
    /// Performs a repair that a scan has found.
    mutating func repair(_ repairs: [SegmentRepair]) {
        for repair in repairs {
            // The new segment has replaced a file of its name, which held nothing.
            guard active?.first != repair.first else { continue }
            switch repair {
            case .cut(let first, let offset): cut(first, at: offset)
            case .discard(let first): discard(first)
            case .setAside(let first, let size):
                let name = SpoolPaths.segmentName(first)
                quarantine.take(paths.segment(first), size: size, as: "\(name).0")
            case .rename(let first, let version):
                let path = paths.segment(first)
                try? fileSystem.rename(path, to: "\(path).v\(version)")
            case .remove(let first): try? fileSystem.unlink(paths.segment(first))
            }
        }
        // A removed file must not reappear under numbers that are assigned again.
        if !repairs.isEmpty { directoryIsDirty = true }
    }

    private mutating func cut(_ first: UInt64, at offset: Int64) {
        let name = SpoolPaths.segmentName(first)
        let open = openFile(ofSegment: first)
        guard let file = open ?? (try? fileSystem.open(paths.segment(first), .update)) else { return }
        quarantine.keep(file, from: offset, as: "\(name).\(offset)")
        do throws(FileSystemError) {
            try file.truncate(to: offset)
        } catch {
            failures.note(error, "'\(name)' could not be cut")
            return
        }
        for place in sealed.indices where sealed[place].first == first { sealed[place].wasCut(to: offset) }
        guard let index = index(ofSegment: first) else { return }
        segmentBytes &-= segments[index].fileBytes &- offset
        segments[index].fileBytes = offset
    }

    private mutating func discard(_ first: UInt64) {
        let name = SpoolPaths.segmentName(first)
        if let file = try? fileSystem.open(paths.segment(first), .read) {
            quarantine.keep(file, from: 0, as: "\(name).0")
        }
        try? fileSystem.unlink(paths.segment(first))
    }
}
