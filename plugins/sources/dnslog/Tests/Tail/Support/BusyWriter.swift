import Glibc
import Synchronization

/// Writes numbered lines at 20 MB/s, in writes that end anywhere in a line, and renames the log now and then.
///
/// Like a resolver that gets the signal to reopen its log a little late, it writes some more to the old file first.
final class BusyWriter: Sendable {
    static let lineLength = 120
    private static let linesPerChunk = 1_667

    let folder: LogFolder
    let lines = Atomic<UInt64>(0)
    let rotations = Atomic<UInt64>(0)
    let isDone = Atomic<Bool>(false)
    private let chunks: Int
    private let chunksPerRotation: Int
    private let keep: Int

    /// A chunk is written every 10 ms; no more than `keep` old files stay, as logrotate does it.
    init(folder: LogFolder, chunks: Int, chunksPerRotation: Int, keep: Int) {
        self.folder = folder
        self.chunks = chunks
        self.chunksPerRotation = chunksPerRotation
        self.keep = keep
    }

    func run() {
        var file = openLog()
        var due = now
        var text = Self.template
        for chunk in 1...chunks {
            renumber(&text, chunk)
            // Half of the chunk before the rename, half of it after, and the cut is in the middle of a line.
            let cut = text.count / 2 + 7
            put(text[..<cut], to: file)
            let isRotation = chunk % chunksPerRotation == 0
            if isRotation { rotate(chunk / chunksPerRotation) }
            put(text[cut...], to: file)
            if isRotation {
                close(file)
                file = openLog()
            }
            due += 10_000_000
            pause(until: due)
        }
        close(file)
        lines.store(UInt64(chunks * Self.linesPerChunk), ordering: .releasing)
        isDone.store(true, ordering: .releasing)
    }

    /// Every line begins with the four digits of its chunk and the four of its place in it.
    private static let template: [UInt8] = {
        let filling = [UInt8](repeating: UInt8(ascii: "x"), count: lineLength - 10)
        return (0..<linesPerChunk).flatMap { place -> [UInt8] in
            [digits(0), digits(place), filling, Array("$\n".utf8)].flatMap(\.self)
        }
    }()

    private static func digits(_ number: Int) -> [UInt8] {
        [1_000, 100, 10, 1].map { UInt8(0x30 + number / $0 % 10) }
    }

    private func renumber(_ text: inout [UInt8], _ chunk: Int) {
        let digits = Self.digits(chunk).withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        text.withUnsafeMutableBytes { room in
            for place in 0..<Self.linesPerChunk {
                room.storeBytes(of: digits, toByteOffset: place * Self.lineLength, as: UInt32.self)
            }
        }
    }

    private func rotate(_ round: Int) {
        rename(folder.file("q.log"), folder.file("q.log.\(round)"))
        unlink(folder.file("q.log.\(round - keep)"))
        rotations.add(1, ordering: .releasing)
    }

    private func openLog() -> Int32 {
        open(folder.file("q.log"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    }

    private func put(_ bytes: ArraySlice<UInt8>, to file: Int32) {
        _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    }

    private var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The pace is what is tested; a machine that cannot keep it writes slower.
    private func pause(until due: Int64) {
        let left = due - now
        guard left > 0 else { return }
        var time = timespec(tv_sec: 0, tv_nsec: Int(left))
        nanosleep(&time, nil)
    }
}
