internal import Glibc

/// Becomes readable when files are written to, or names in their directories change (inotify(7)).
///
/// It only signals that it is time to look; what is found then decides. Where the kernel offers no more watches,
/// polling replaces it.
final class FileWatch {
    /// What happened since the last question.
    struct News {
        /// Whether a name came, went or changed; true when events were lost.
        var namesChanged = false
        /// How many files got each name; no more than ``nameLimit`` names.
        var births: [Name: Int] = [:]
    }

    /// A name in a watched directory.
    struct Name: Hashable {
        /// What inotify calls the directory.
        let directory: Int32
        let name: String
    }

    /// Readable when there is news; -1 before ``begin()``, and when the kernel does not report changes.
    private(set) var descriptor: Int32 = -1
    /// Why the kernel does not report everything; nil while it does.
    private(set) var failure: Int32?

    // IN_NONBLOCK and IN_CLOEXEC are those of open(2); Swift sees the enum constants as one type or another.
    private static let flags = O_NONBLOCK | O_CLOEXEC
    private static let fileMask = UInt32(IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF)
    private static let nameMask = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
    private static let birthMask = UInt32(IN_CREATE | IN_MOVED_TO)
    private static let nameLimit = 256
    private static let lostMask = UInt32(IN_Q_OVERFLOW | IN_IGNORED | IN_UNMOUNT)

    private let open: () -> Int32
    /// What inotify calls the watched directories.
    private var directories: [String: Int32] = [:]

    /// Opens nothing yet; `open` will make the descriptor, or return -1 with errno.
    init(open: @escaping () -> Int32 = { inotify_init1(FileWatch.flags) }) {
        self.open = open
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Opens the descriptor, once.
    func begin() {
        guard descriptor < 0, failure == nil else { return }
        descriptor = open()
        if descriptor < 0 { failure = errno }
    }

    /// Watches the names in a directory; repeated calls are harmless.
    func watch(_ directory: LogDirectory) {
        guard descriptor >= 0 else { return }
        let watch = inotify_add_watch(descriptor, directory.path, Self.nameMask)
        directories[directory.path] = watch < 0 ? nil : watch
        if watch < 0 { note(errno) }
    }

    /// How many files got the name of `path` lately; 0 when the kernel does not report it.
    func births(of path: String, in news: News) -> Int {
        guard !news.births.isEmpty else { return 0 }
        let (directory, name) = LogDirectory.split(path)
        return directories[directory.path].flatMap { news.births[Name(directory: $0, name: name)] } ?? 0
    }

    /// The names in a directory that files got lately, in no order.
    func born(in directory: LogDirectory, _ news: News) -> [String] {
        guard let watch = directories[directory.path] else { return [] }
        return news.births.keys.filter { $0.directory == watch }.map(\.name)
    }

    /// Watches an open file, under any name; repeated calls are harmless.
    func watch(_ file: FollowedFile) {
        guard descriptor >= 0 else { return }
        let watch = inotify_add_watch(descriptor, "/proc/self/fd/\(file.descriptor)", Self.fileMask)
        if watch >= 0 { file.watch = watch } else { note(errno) }
    }

    func forget(_ file: FollowedFile) {
        guard descriptor >= 0, let watch = file.watch else { return }
        inotify_rm_watch(descriptor, watch)
        file.watch = nil
    }

    /// Takes everything that waits.
    func drain() -> News {
        var news = News()
        guard descriptor >= 0 else { return news }
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { room in
            while true {
                let count = read(descriptor, room.baseAddress, room.count)
                guard count > 0 else { return }
                Self.note(UnsafeRawBufferPointer(rebasing: room[..<min(count, room.count)]), in: &news)
            }
        }
        return news
    }

    /// The limits of the user or the system; a missing directory is no reason to poll.
    private func note(_ number: Int32) {
        if [ENOSPC, EMFILE, ENFILE, ENOMEM].contains(number) { failure = number }
    }

    /// struct inotify_event: wd, mask, cookie, length of the name, name.
    private static func note(_ bytes: UnsafeRawBufferPointer, in news: inout News) {
        var position = 0
        while bytes.count - position >= 16 {
            let mask = bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)
            let length = bytes.loadUnaligned(fromByteOffset: position + 12, as: UInt32.self)
            if mask & (nameMask | lostMask) != 0 { news.namesChanged = true }
            if mask & birthMask != 0 {
                let name = bytes[(position + 16)...].prefix(Int(length)).prefix { $0 != 0 }
                let directory = bytes.loadUnaligned(fromByteOffset: position, as: Int32.self)
                news.noteBirth(Name(directory: directory, name: String(decoding: name, as: UTF8.self)), nameLimit)
            }
            position += 16 + Int(length)
        }
    }
}

extension FileWatch.News {
    fileprivate mutating func noteBirth(_ name: FileWatch.Name, _ limit: Int) {
        guard births.count < limit || births[name] != nil else { return }
        births[name, default: 0] += 1
    }
}
