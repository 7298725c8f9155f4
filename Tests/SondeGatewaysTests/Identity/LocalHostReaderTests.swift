import Foundation
import SondeGateways
import Testing

@Suite struct LocalHostReaderTests {
    private func use(_ files: [String: String], _ body: (LocalHostReader) -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "sonde-host-\(UUID().uuidString)")
        for folder in ["etc", "usr/lib"] {
            try FileManager.default.createDirectory(
                at: root.appending(path: folder), withIntermediateDirectories: true)
        }
        defer { try? FileManager.default.removeItem(at: root) }
        for (path, text) in files { try Data(text.utf8).write(to: root.appending(path: path)) }
        body(LocalHostReader(root: root.path))
    }

    @Test(arguments: [
        ("PRETTY_NAME=\"Debian 12\"\nID=debian\nVERSION_ID=\"12\"\n", "debian-12"), ("ID='arch'\n", "arch"),
        ("NAME=x\n", "linux"), ("", "linux"), ("ID_LIKE=debian\nID=\nVERSION_ID=3", "linux-3"),
    ])
    func distributionIsNameAndVersion(_ text: String, _ name: String) throws {
        try use(["etc/os-release": text]) { #expect($0.operatingSystem == name) }
        try use(["usr/lib/os-release": text]) { #expect($0.operatingSystem == name) }
    }

    @Test func machineHasItsID() throws {
        try use(["etc/machine-id": "0123456789abcdef0123456789abcdef\n"]) {
            #expect($0.machineID == "0123456789abcdef0123456789abcdef")
        }
    }

    @Test(arguments: ["", "\n", "uninitialized\n"]) func machineWithoutAnIDHasNone(_ text: String) throws {
        try use(["etc/machine-id": text]) { #expect($0.machineID == nil) }
        try use([:]) {
            #expect($0.machineID == nil)
            #expect($0.operatingSystem == nil)
        }
    }

    @Test func machineHasTheNameOfTheKernel() throws {
        let kernel = try String(contentsOfFile: "/proc/sys/kernel/hostname", encoding: .utf8)
        #expect(LocalHostReader().name == kernel.trimmingCharacters(in: .newlines))
        #expect(LocalHostReader(name: "db-1").name == "db-1")
    }
}
