import Foundation
import Testing

/// Two hundred and thirty plugins of which nearly each is broken in another way, in one folder.
@Suite struct HostilePluginTests {
    private static let count = 230

    /// What is wrong with the file of a plugin; those that are told apart by their number alone are as they were made.
    private static func spoil(_ bytes: inout Data, _ number: Int, recordAt record: Int) {
        switch number {
        // Each byte of the version record.
        case 0..<64: bytes[record + number] ^= 0xff
        // Cut, from an empty file to all but the last byte.
        case 64..<124: bytes = bytes.prefix(bytes.count * (number - 64) / 60 - (number == 123 ? 1 : 0))
        // Each byte of the header but what says which architecture it is for.
        case 124..<180: bytes[number - 124] ^= 0xff
        default: break
        }
    }

    @Test func eachBrokenPluginHasOneLineThatSaysWhy() async throws {
        try await Workspace.use { workspace in
            let folder = try workspace.makeFolder("plugins")
            let object = workspace.path("hostile.so")
            let compiler = [
                "/usr/bin/cc", "-std=c11", "-D_GNU_SOURCE", "-O1", "-w", "-shared", "-fPIC", "-I",
                Checkout.path("Sources/CSondePlugin/include"), Checkout.path("Tests/EndToEndTests/Fixtures/hostile.c"),
                "-o", object,
            ]
            let result = try await workspace.run(compiler)
            try #require(result.end == .exited(0), "\(result.errors)")
            let whole = try Data(contentsOf: URL(fileURLWithPath: object))
            let head = Data([64, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
            let record = try #require(whole.range(of: head)).lowerBound
            for number in 0..<Self.count {
                var bytes = whole
                Self.spoil(&bytes, number, recordAt: record)
                let path = "\(folder)/\(Self.name(number)).so"
                try bytes.write(to: URL(fileURLWithPath: path))
                chmod(path, 0o755)
            }
            let list = try await workspace.sonde("plugins", "list", "--plugin-dir", folder)
            #expect(list.end == .exited(0), "\(list.errors)")
            let lines = list.output.split(separator: "\n").map(String.init)
            for number in 0..<Self.count {
                let own = lines.filter { $0.hasPrefix(Self.name(number) + " ") }
                #expect(own.count == 1, "\(Self.name(number)): \(own)")
            }
            // What was changed is of no importance in a few: a reserved byte, a part of the header that nobody reads.
            let refused = lines.filter { $0.hasPrefix("h") && $0.contains("SND-PLG") }
            #expect(refused.count >= 175, "\(refused.count)")
        }
    }

    private static func name(_ number: Int) -> String {
        "h" + String(repeating: "0", count: 3 - "\(number)".count) + "\(number)"
    }
}
