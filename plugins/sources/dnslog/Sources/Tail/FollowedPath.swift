internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// One name that logs are written under, and the files that had it, oldest first.
final class FollowedPath {
    let id: FileID
    let path: String
    /// Whether a wildcard matched it, so that it is removed when its file is gone.
    let isMatch: Bool
    let settings: TailSettings
    let watch: FileWatch
    /// Where the name led when it was last opened: rotated files are beside that.
    var realPath: String
    /// The file that has the name.
    var current: FollowedFile?
    /// The pipe that has the name, or standard input.
    var pipe: PipeInput?
    /// Files that have lost the name, or had it unseen, and may hold more lines.
    var held: [FollowedFile] = []
    /// Files that were read whole, newest last: they are not read again under any name.
    var settled: [FileRecord] = []
    /// When the file under the name was last seen to be written to.
    var lastModified = Timestamp(nanoseconds: .min)
    /// When the file under the name was last read.
    var lastRead: Timestamp?
    /// When the file under the name was written to, at the last look at which nothing of it was read.
    private var unreadModified: Timestamp?
    /// Files of other names: one may have been renamed to this while the agent was down.
    var strangers: [FileRecord] = []
    /// Whether a file was found under the name before.
    var hadFile = false
    /// Files that got the name, against those that were opened.
    var births = NameBirths()
    /// Since when no file has the name.
    private var missingSince: MonotonicInstant?
    /// What was last said of the name, so that it is said once.
    private(set) var complaint: TailEvent?

    private static let settledLimit = 16

    init(_ path: String, id: FileID, isMatch: Bool, _ settings: TailSettings, _ watch: FileWatch) {
        self.path = path
        self.id = id
        self.isMatch = isMatch
        self.settings = settings
        self.watch = watch
        realPath = path
    }

    /// Whether this file is open here.
    func hasOpen(_ identity: FileIdentity) -> Bool {
        current?.identity == identity || held.contains { $0.identity == identity }
    }

    /// Whether nothing is left to read here, and no file has the name.
    var isGone: Bool { current == nil && held.isEmpty && pipe == nil && missingSince != nil }

    /// Whether nothing can be read here, and that was said.
    var isBlind: Bool { current == nil && held.isEmpty && pipe == nil && complaint != nil }

    /// Compares the name with the file that had it, and with how many files had it since the last look.
    func look(
        _ notes: inout TailNotes,
        at now: TailInstant,
        _ neighbours: [FollowedPath],
        _ news: FileWatch.News = .init()
    ) {
        var count = watch.births(of: path, in: news)
        if realPath != path { count += watch.births(of: realPath, in: news) }
        births.note(births: count, at: now.monotonic)
        compare(&notes, at: now, neighbours, news)
        // While nothing has the name, a file that had it may yet be found under another one.
        let isMissing = missingSince.map { now.monotonic.since($0) < settings.limits.rotateGrace } ?? false
        if !isMissing, births.takeMissed() { lose(.rotatedAway, &notes, now) }
    }

    private func compare(
        _ notes: inout TailNotes,
        at now: TailInstant,
        _ neighbours: [FollowedPath],
        _ news: FileWatch.News
    ) {
        guard pipe?.identity != nil || pipe == nil else { return }
        var status = stat()
        guard stat(path, &status) == 0 else {
            let number = errno
            recoverIfCut(&notes, now, neighbours)
            if number == ENOENT || number == ENOTDIR {
                noteMissing(&notes, now)
            } else {
                refuse(.system(number), &notes, now)
            }
            return
        }
        let identity = FileIdentity(status)
        if current?.identity == identity || pipe?.identity == identity {
            missingSince = nil
            births.noteReturn(at: now.monotonic)
            if let current, current.isUnread { lookForCopies(of: current, &notes, now, neighbours, news) }
            return
        }
        recoverIfCut(&notes, now, neighbours)
        if let index = held.firstIndex(where: { $0.identity == identity }) {
            let file = held.remove(at: index)
            loseName(now)
            take(file, &notes, now)
            return
        }
        open(&notes, now, neighbours)
    }

    /// The file under the name, of which nothing was read, may have been filled, copied and cut short.
    private func lookForCopies(
        of current: FollowedFile,
        _ notes: inout TailNotes,
        _ now: TailInstant,
        _ neighbours: [FollowedPath],
        _ news: FileWatch.News
    ) {
        let modified = current.modified
        guard news.namesChanged || modified != unreadModified else { return }
        unreadModified = modified
        letGoOfRewritten(&notes, now)
        holdCopies(of: current, &notes, now, neighbours)
    }

    /// Holds what the file under the name held before it was cut short, of which nothing had been read then.
    func holdCopies(
        of current: FollowedFile,
        _ notes: inout TailNotes,
        _ now: TailInstant,
        _ neighbours: [FollowedPath]
    ) {
        let head = Fingerprint.head(of: current.descriptor) ?? .empty
        holdUnseen(of: .whole(head), &notes, now, neighbours)
    }

    /// Opens what has the name; nil when that is nothing to read, which is said.
    func openLog(_ notes: inout TailNotes, _ now: TailInstant) -> OpenedLog? {
        do throws(TailRefusal) {
            guard let log = try OpenedLog.open(path, settings.links) else {
                noteMissing(&notes, now)
                return nil
            }
            realPath = log.realPath
            return log
        } catch {
            refuse(error, &notes, now)
            return nil
        }
    }

    /// Makes `file` the one that has the name.
    func take(_ file: FollowedFile, _ notes: inout TailNotes, _ now: TailInstant) {
        file.nameLost = nil
        missingSince = nil
        complaint = nil
        hadFile = true
        births.note(arrivals: 1, at: now.monotonic)
        current = file
        lastModified = max(lastModified, file.modified)
        watch.watch(file)
        notes.add(.opened(path: path, offset: file.offset))
    }

    /// The file under the name is that no longer; it is read to its end beside the next one.
    func loseName(_ now: TailInstant) {
        pipe = nil
        guard let file = current else { return }
        lastModified = max(lastModified, file.modified)
        file.loseName(at: now.monotonic)
        held.append(file)
        current = nil
    }

    /// A file is done with: it will not be read again under any name.
    func settle(_ record: FileRecord) {
        settled.removeAll { $0.identity == record.identity }
        settled.append(record)
        if settled.count > Self.settledLimit { settled.removeFirst(settled.count - Self.settledLimit) }
    }

    func refuse(_ refusal: TailRefusal, _ notes: inout TailNotes, _ now: TailInstant) {
        loseName(now)
        missingSince = nil
        say(.refused(path: path, refusal), &notes)
    }

    /// Reports it unless it was the last report for the name.
    func say(_ event: TailEvent, _ notes: inout TailNotes) {
        guard complaint != event else { return }
        complaint = event
        notes.add(event)
    }

    private func noteMissing(_ notes: inout TailNotes, _ now: TailInstant) {
        loseName(now)
        let since = missingSince ?? now.monotonic
        missingSince = since
        // A rotation leaves no file under the name for a moment: nothing to speak of.
        if !hadFile || now.monotonic.since(since) >= settings.limits.rotateGrace {
            say(.missing(path: path), &notes)
        }
    }

    private func open(_ notes: inout TailNotes, _ now: TailInstant, _ neighbours: [FollowedPath]) {
        guard let log = openLog(&notes, now) else { return }
        guard log.kind == .file else {
            openPipe(log, &notes, now)
            return
        }
        let identity = FileIdentity(log.status)
        if let owner = neighbours.first(where: { $0 !== self && $0.hasOpen(identity) }) {
            close(log.descriptor)
            takeOver(identity, from: owner, &notes, now)
            return
        }
        let record = (strangers + settled).last { $0.mayBe(identity) && $0.matches(log.descriptor) }
        guard let file = FollowedFile(log, lineLimit: settings.limits.lineLength, from: record) else {
            refuse(.system(EIO), &notes, now)
            return
        }
        let isNext = hadFile
        loseName(now)
        if isNext {
            notes.counts.rotations &+= 1
            holdUnseen(except: log, &notes, now, neighbours)
        }
        take(file, &notes, now)
    }

    private func openPipe(_ log: OpenedLog, _ notes: inout TailNotes, _ now: TailInstant) {
        guard !isMatch else {
            close(log.descriptor)
            refuse(.pipe, &notes, now)
            return
        }
        loseName(now)
        missingSince = nil
        complaint = nil
        hadFile = true
        pipe = PipeInput(log, lineLimit: settings.limits.lineLength)
        notes.add(.opened(path: path, offset: 0))
    }

    /// A file that was renamed from one followed name to another is read on there.
    private func takeOver(
        _ identity: FileIdentity,
        from owner: FollowedPath,
        _ notes: inout TailNotes,
        _ now: TailInstant
    ) {
        guard let index = owner.held.firstIndex(where: { $0.identity == identity }) else {
            refuse(.duplicate, &notes, now)
            return
        }
        loseName(now)
        take(owner.held.remove(at: index), &notes, now)
    }
}
