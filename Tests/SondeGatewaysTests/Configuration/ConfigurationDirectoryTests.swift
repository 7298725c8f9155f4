import Foundation
import SondeDomain
import SondeEngine
import SondeGateways
import SondeTestKit
import Synchronization
import Testing

/// `conf.d` on a real disk, with what may lie in it.
@Suite struct ConfigurationDirectoryTests {
    private static let main =
        "version: 1\nsources: [{ id: kernel, plugin: procnet }]\nsinks: [{ id: out, plugin: stdout }]\n"

    /// A directory with the main file and an empty `conf.d`.
    private func use(_ body: (_ directory: String, _ load: () -> LoadedConfiguration) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "sonde-conf-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: root + "/conf.d", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: root) }
        try write("\(root)/sonde.yaml", Self.main)
        try body(root) {
            ConfigurationLoader(catalog: { _ in FakePluginCatalog.standard() }, host: FakeHostReader())
                .load(ConfigurationFiles("\(root)/sonde.yaml"))
        }
    }

    private func write(_ path: String, _ text: String) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        chmod(path, 0o644)
    }

    private func lines(_ loaded: LoadedConfiguration, in root: String) -> [String] {
        loaded.problems.map { "\($0.mark.file.dropFirst(root.count + 1)) \($0.code) \($0.message)" }
    }

    @Test(.timeLimit(.minutes(1))) func whatCannotBeReadIsNamedAndNothingBlocks() throws {
        try use { root, load in
            #expect(mkfifo("\(root)/conf.d/10-pipe.yaml", 0o600) == 0)
            #expect(symlink("20-loop.yaml", "\(root)/conf.d/20-loop.yaml") == 0)
            #expect(symlink("nowhere", "\(root)/conf.d/30-dangling.yaml") == 0)
            #expect(symlink("/dev/zero", "\(root)/conf.d/40-device.yaml") == 0)
            #expect(mkdir("\(root)/conf.d/50-directory.yaml", 0o755) == 0)
            #expect(FileManager.default.createFile(atPath: "\(root)/conf.d/60-large.yaml", contents: nil))
            #expect(truncate("\(root)/conf.d/60-large.yaml", 100 << 20) == 0)
            #expect(
                lines(load(), in: root) == [
                    "conf.d/10-pipe.yaml SND-CFG001 cannot read it: it is not a regular file",
                    "conf.d/20-loop.yaml SND-CFG001 cannot read it: Too many levels of symbolic links",
                    "conf.d/30-dangling.yaml SND-CFG001 cannot read it: it does not exist",
                    "conf.d/40-device.yaml SND-CFG001 cannot read it: it is not a regular file",
                    "conf.d/50-directory.yaml SND-CFG001 cannot read it: it is not a regular file",
                    "conf.d/60-large.yaml SND-CFG002 the file is larger than 1MiB",
                ])
        }
    }

    @Test func nameThatIsNotUTF8IsAnErrorAndNotIgnored() throws {
        try use { root, load in
            let path = Array("\(root)/conf.d/a".utf8) + [0xFF] + Array(".yaml".utf8)
            let descriptor = (path + [0]).withUnsafeBytes { bytes in
                bytes.withMemoryRebound(to: CChar.self) { name in
                    name.baseAddress.map { open($0, O_CREAT | O_WRONLY, 0o644) } ?? -1
                }
            }
            #expect(descriptor >= 0)
            close(descriptor)
            #expect(
                lines(load(), in: root) == ["conf.d/a\u{FFFD}.yaml SND-CFG001 cannot read it: its name is not UTF-8"])
        }
    }

    @Test func whatEditorsAndPackagesLeaveIsNotRead() throws {
        try use { root, load in
            let names = [
                "a.yaml~", ".a.yaml", ".a.yaml.swp", "#a.yaml#", "a.yaml.dpkg-new", "a.yaml.rpmsave", "4913", "a.off",
            ]
            for name in names { try write("\(root)/conf.d/\(name)", "nonsense") }
            #expect(symlink("alice@host.1:2", "\(root)/conf.d/.#a.yaml") == 0)
            #expect(load().problems == [])
        }
    }

    @Test func fileWithTheOtherEndingIsAWarning() throws {
        try use { root, load in
            try write("\(root)/conf.d/a.yml", "nonsense")
            let loaded = load()
            #expect(
                lines(loaded, in: root) == ["conf.d/a.yml SND-CFG038 it is not read: its name does not end in '.yaml'"])
            #expect(loaded.configuration != nil)
            #expect(loaded.provenance.files == ["\(root)/sonde.yaml"])
        }
    }

    @Test(arguments: [
        (0o666, 0o755, "conf.d/a.yaml"), (0o646, 0o755, "conf.d/a.yaml"), (0o644, 0o777, "conf.d"),
        (0o644, 0o1777, "conf.d"),
        (0o664, 0o775, nil), (0o640, 0o750, nil),
    ])
    func whatEveryUserCouldWriteIsNotRead(_ file: mode_t, _ directory: mode_t, _ refused: String?) throws {
        try use { root, load in
            try write("\(root)/conf.d/a.yaml", "agent: { interval: 1s }\n")
            #expect(chmod("\(root)/conf.d/a.yaml", file) == 0)
            #expect(chmod("\(root)/conf.d", directory) == 0)
            let loaded = load()
            #expect(
                lines(loaded, in: root)
                    == (refused.map { ["\($0) SND-CFG037 every user of this machine may write to it"] } ?? []))
            #expect(loaded.problems.first?.suggestion == refused.map { "chmod o-w \(root)/\($0)" })
        }
    }

    @Test func mainFileThatEveryUserCouldWriteIsNotRead() throws {
        try use { root, load in
            #expect(chmod("\(root)/sonde.yaml", 0o666) == 0)
            #expect(
                lines(load(), in: root) == ["sonde.yaml SND-CFG037 every user of this machine may write to it"])
        }
    }

    @Test(.enabled(if: geteuid() == 0)) func directoryOfAnotherUserIsReadOnlyBesideTheirOwnFile() throws {
        try use { root, load in
            try write("\(root)/conf.d/a.yaml", "agent: { interval: 1s }\n")
            #expect(chown("\(root)/conf.d", 65_534, 65_534) == 0)
            #expect(
                lines(load(), in: root) == [
                    "conf.d SND-CFG037 it belongs to user 65534, who is neither root nor the agent's user nor the owner of the "
                        + "main file"
                ])
            #expect(chown("\(root)/sonde.yaml", 65_534, 65_534) == 0)
            #expect(load().problems == [])
        }
    }

    @Test func volumeOfLinksIsRead() throws {
        // As Kubernetes mounts a ConfigMap.
        try use { root, load in
            #expect(mkdir("\(root)/conf.d/..2026_01_01", 0o755) == 0)
            try write("\(root)/conf.d/..2026_01_01/a.yaml", "agent: { interval: 1s }\n")
            #expect(symlink("..2026_01_01", "\(root)/conf.d/..data") == 0)
            #expect(symlink("..data/a.yaml", "\(root)/conf.d/a.yaml") == 0)
            let loaded = load()
            #expect(loaded.problems == [])
            #expect(loaded.configuration?.agent.interval == .seconds(1))
        }
    }

    @Test func fileInPlaceOfTheDirectoryIsAnError() throws {
        try use { root, load in
            #expect(rmdir("\(root)/conf.d") == 0)
            #expect(load().problems == [])
            #expect(mkfifo("\(root)/conf.d", 0o600) == 0)
            #expect(lines(load(), in: root) == ["conf.d SND-CFG001 cannot read it: it is not a directory"])
        }
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [(1_000, nil), (1_001, "holds more than 1000 files"), (10_001, "has more than 10000 entries")])
    func numberOfFilesIsBounded(_ count: Int, _ reason: String?) throws {
        try use { root, load in
            for index in 0..<count { close(open("\(root)/conf.d/\(index).yaml", O_CREAT | O_WRONLY, 0o644)) }
            #expect(lines(load(), in: root) == (reason.map { ["conf.d SND-CFG001 cannot read it: it \($0)"] } ?? []))
        }
    }

    @Test func mainFileThatIsNotThereIsTheOnlyProblem() throws {
        try use { root, _ in
            let files = ConfigurationFiles("\(root)/sonde.yaml/x.yaml")
            let loaded = ConfigurationLoader(catalog: { _ in FakePluginCatalog.standard() }).load(files)
            #expect(loaded.problems.map(\.message) == ["cannot read it: it does not exist"])
        }
    }

    @Test func fileThatVanishesAfterItWasListedCountsAsGone() {
        let files = VanishingFileReader(vanishesAfter: 1)
        let loaded = ConfigurationLoader(catalog: { _ in FakePluginCatalog.standard() }, files: files)
            .load(ConfigurationFiles("sonde.yaml", files: files))
        #expect(loaded.problems == [])
        #expect(loaded.provenance.files == ["sonde.yaml", "conf.d/a.yaml"])
        #expect(loaded.configuration?.agent.interval == .seconds(1))
    }

    @Test func directoryThatNeverComesToRestIsAnError() {
        let files = VanishingFileReader(vanishesAfter: .max)
        let loaded = ConfigurationLoader(catalog: { _ in FakePluginCatalog.standard() }, files: files)
            .load(ConfigurationFiles("sonde.yaml", files: files))
        #expect(loaded.problems.map(\.mark.file) == ["conf.d/b.yaml"])
        #expect(files.listings == 3)
    }
}

/// Lists a file that is not there any more when it is read, the first times that it is asked.
private final class VanishingFileReader: FileReader {
    private let limit: Int
    private let count = Mutex(0)

    init(vanishesAfter limit: Int) {
        self.limit = limit
    }

    var listings: Int { count.withLock { $0 } }

    func read(_ path: String, limit: Int) throws(FileReadFailure) -> FileContents {
        switch path {
        case "sonde.yaml":
            FileContents(
                bytes: Array(
                    "version: 1\nsources: [{ id: k, plugin: procnet }]\nsinks: [{ id: o, plugin: stdout }]\n".utf8))
        case "conf.d/a.yaml": FileContents(bytes: Array("agent: { interval: 1s }\n".utf8))
        default: throw .notFound
        }
    }

    func directory(_ path: String, limit: Int) throws(FileReadFailure) -> DirectoryContents? {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return DirectoryContents(names: number <= self.limit ? ["b.yaml", "a.yaml"] : ["a.yaml"])
    }
}
