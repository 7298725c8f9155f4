internal import Glibc
internal import SondePluginKit

/// The rotated files beside a log: `path.1` is the newest, `path.keep` the oldest; compressed ones end in `.gz`.
///
/// A crash between any two steps leaves a state that the next shift or ``recover()`` completes: nothing is removed but
/// the oldest file of a full row.
struct RotatedFiles {
    let path: String
    let keep: Int

    /// What the longest suffix adds to a name.
    static let longestSuffix = ".1000.gz".utf8.count

    /// The one file that a compression in progress writes.
    var temporary: String { "\(path).gz.tmp" }

    func plain(_ slot: Int) -> String { "\(path).\(slot)" }

    func compressed(_ slot: Int) -> String { "\(path).\(slot).gz" }

    /// What a shift did to the slots.
    struct Shift {
        /// The slot that became free; those below it moved up by one.
        let gap: Int
        /// Whether what was in ``gap`` was removed.
        let hasRemovedOldest: Bool
    }

    /// Frees slot 1.
    ///
    /// Moves only what is below the lowest free slot, so that a shift that a crash cut short is completed and not done
    /// twice.
    func makeRoom() throws(PluginError) -> Shift {
        removeBeyondKeep()
        let free = (1...keep).first { !isTaken($0) }
        let gap = free ?? keep
        if free == nil { try remove(gap) }
        for slot in (1..<gap).reversed() {
            try move(compressed(slot), to: compressed(slot + 1))
            try move(plain(slot), to: plain(slot + 1))
        }
        return Shift(gap: gap, hasRemovedOldest: free == nil)
    }

    /// Cleans up after a crash: an unfinished compression, and originals whose compressed form is complete.
    func recover() {
        unlink(temporary)
        for slot in 1...keep where exists(plain(slot)) && exists(compressed(slot)) {
            let isComplete = GzipTrailer.matches(compressed: compressed(slot), original: plain(slot))
            unlink(isComplete ? plain(slot) : compressed(slot))
        }
    }

    /// The oldest slot that is not compressed yet.
    func oldestPlain() -> Int? {
        (1...keep).reversed().first { exists(plain($0)) && !exists(compressed($0)) }
    }

    /// A lowered `keep` leaves higher numbers behind; they are removed as far as they follow without a gap.
    private func removeBeyondKeep() {
        var slot = keep + 1
        while slot <= Int(RotationPolicy.keepBound), isTaken(slot) {
            guard (try? remove(slot)) != nil else { return }
            slot += 1
        }
    }

    private func isTaken(_ slot: Int) -> Bool { exists(plain(slot)) || exists(compressed(slot)) }

    private func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private func remove(_ slot: Int) throws(PluginError) {
        for name in [plain(slot), compressed(slot)] where unlink(name) != 0 && errno != ENOENT {
            throw .system("remove", name, errno)
        }
    }

    private func move(_ name: String, to newName: String) throws(PluginError) {
        guard rename(name, newName) == 0 || errno == ENOENT else { throw .system("rename", name, errno) }
    }
}
