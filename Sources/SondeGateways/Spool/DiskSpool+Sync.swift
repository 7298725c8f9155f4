internal import SondeDomain
internal import SondeEngine
internal import Synchronization

extension DiskSpool {
    // A sync that fails requires another: the file is written again, then synced.
    private static let syncRounds = 4

    /// Makes everything appended so far survive a power cut, drops what is too old, and checks whether the folder
    /// still exists.
    public func sync() {
        let isGone = lockFile.withLock { lock in
            guard (try? lock.isLinked()) == false else { return false }
            return restoreDirectory(&lock)
        }
        if isGone { restoreCursors() }
        while true {
            let uncounted = log.withLock { log in
                log.refreshAllowance()
                return log.expire()
            }
            if uncounted.isEmpty { break }
            count(uncounted)
        }
        log.withLock { $0.returnToDisk() }
        guard settings.synchronization != .none || isGone else { return }
        _ = makeSafe(through: nil)
    }

    /// Syncs the log through a number, or all of it; whether that succeeded.
    func makeSafe(through last: UInt64?) -> Bool {
        guard settings.synchronization != .none else { return true }
        return lockFile.withLock { _ in runSync(through: last) }
    }

    // Called under the lock of the lock file, which serializes syncs.
    private func runSync(through last: UInt64?) -> Bool {
        for _ in 0..<Self.syncRounds {
            let plan = log.withLock { log -> SyncPlan? in
                let last = last.map { min($0, log.writeSequence &- 1) }
                if let last, log.safeEnd > last, !log.directoryIsDirty { return nil }
                let plan = log.beginSync()
                if plan.isEmpty { log.failures.recovered(from: .spoolWriteFailed) }
                return plan
            }
            guard let plan, !plan.isEmpty else { return true }
            carryOut(plan)
        }
        return log.withLock { log in
            // What memory holds cannot be synced, and does not block what the disk has.
            !log.directoryIsDirty && log.safeEnd > min(last ?? .max, log.writeSequence &- 1)
        }
    }

    private func carryOut(_ plan: SyncPlan) {
        var synced: [SyncPlan.Item] = []
        for item in plan.items {
            do throws(FileSystemError) {
                try item.file.syncData()
                synced.append(item)
            } catch {
                log.withLock { $0.failSync(item, error) }
            }
        }
        for writer in plan.rewrites { rewrite(writer) }
        if plan.syncsDirectory {
            do throws(FileSystemError) {
                try fileSystem.syncDirectory(settings.directory)
            } catch {
                log.withLock { log in
                    log.directoryIsDirty = true
                    log.failures.note(error, "the directory could not be synced")
                }
                // A file without a name does not survive.
                return
            }
        }
        log.withLock { log in
            for item in synced { log.finishSync(item) }
        }
    }

    /// Writes a segment to a new file of the same name and syncs that.
    private func rewrite(_ writer: SegmentWriter) {
        let path = paths.segment(writer.first)
        do throws(FileSystemError) {
            try? fileSystem.unlink("\(path).new")
            let copy = try fileSystem.open("\(path).new", .create)
            try writer.copy(to: copy)
            try copy.syncData()
            try fileSystem.rename("\(path).new", to: path)
            try fileSystem.syncDirectory(settings.directory)
            log.withLock { $0.finishRewrite(writer) }
        } catch {
            try? fileSystem.unlink("\(path).new")
            log.withLock { $0.failures.note(error, "a segment could not be written again") }
        }
    }

    /// Makes a removed folder again; what is still open is written again, the rest is lost and reported.
    private func restoreDirectory(_ lock: inout any OpenFile) -> Bool {
        let isMade = log.withLock { log in
            log.failures.note(.spoolDirectoryGone, "the folder was removed while the agent ran")
            return log.makeDirectories()
        }
        guard isMade else { return false }
        do throws(SondeError) {
            lock = try SpoolLock.take(paths, fileSystem)
        } catch {
            log.withLock { $0.failures.note(error.code, error.message) }
            return false
        }
        log.withLock { log in
            log.endMark = try? EndMark(paths.end, fileSystem)
            log.doubtEverything()
            log.dropMissing(except: (try? fileSystem.names(inDirectory: settings.directory)) ?? [])
        }
        return true
    }

    private func restoreCursors() {
        for (sink, handle) in handles {
            handle.place.withLock { place in
                guard let reader = log.withLock({ $0.readers[sink] }), reader.kind == .durable else { return }
                guard place.cursor?.isLinked != true else { return }
                makeCursor(of: sink, reader, &place)
            }
        }
    }
}
