internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// The lock of a spool directory: held as long as the file is open, freed by the kernel whenever the process ends.
enum SpoolLock {
    private static let textLength = 32

    /// Takes the lock, or reports which process has it.
    static func take(_ folder: SpoolFolder) throws(SondeError) -> any OpenFile {
        let file: any OpenFile
        do throws(FileSystemError) {
            file = try folder.fileSystem.open(folder.lock, .openOrCreate)
        } catch {
            throw .spool(.spoolUnusable, "the spool '\(folder.path)' cannot be written to: \(error.text)")
        }
        do throws(FileSystemError) {
            try file.lock()
        } catch {
            guard error.code == FileSystemError.wouldBlock else {
                throw .spool(.spoolUnusable, "the spool '\(folder.path)' cannot be locked: \(error.text)")
            }
            throw .spool(.spoolLocked, "the spool '\(folder.path)' is locked by \(owner(of: file))")
        }
        // The process id is only informative; the lock works without it, for example on a full file system.
        try? file.truncate(to: 0)
        try? file.writeWhole("\(getpid())\n".utf8, at: 0)
        return file
    }

    private static func owner(of file: any OpenFile) -> String {
        let bytes = (try? file.readWhole(textLength, at: 0)) ?? []
        let digits = bytes.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        return digits.isEmpty ? "another process" : "pid \(String(decoding: digits, as: UTF8.self))"
    }
}
