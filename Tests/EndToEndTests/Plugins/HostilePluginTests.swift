import Foundation
import Testing

/// Plugins in one object of which nearly each is broken in another way before an instance of it is made.
@Suite struct HostilePluginTests {
    // Those before it are told apart in hostile.c and below, those from it on have a description each.
    private static let firstDescription = 230

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
            let descriptions = HostileDescription.all { Self.name(Self.firstDescription + $0) }
            let count = Self.firstDescription + descriptions.count
            try #require(count <= 500, "hostile.c has 500 entries")
            let table = descriptions.map { "SONDE_STRING(\(HostileDescription.literal($0))),\n" }
            try workspace.write("descriptions.h", table.joined())
            let whole = try await Self.compile(workspace)
            let head = Data([64, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0])
            let record = try #require(whole.range(of: head)).lowerBound
            let folders = [try workspace.makeFolder("even"), try workspace.makeFolder("odd")]
            for number in 0..<count {
                var bytes = whole
                Self.spoil(&bytes, number, recordAt: record)
                let path = "\(folders[number % 2])/\(Self.name(number)).so"
                try bytes.write(to: URL(fileURLWithPath: path))
                chmod(path, 0o755)
            }
            let children = try folders.map { folder in
                let command = [Checkout.sonde, "plugins", "list", "--plugin-dir", folder]
                let name = folder.hasSuffix("odd") ? "odd" : "even"
                return try workspace.start(command + Workspace.pluginDirectory, as: name)
            }
            for child in children {
                let end = try await child.waitForEnd()
                #expect(end == .exited(0))
            }
            let lines = ["even", "odd"].flatMap { workspace.read("\($0).out").split(separator: "\n").map(String.init) }
            for number in 0..<count {
                let own = lines.filter { $0.hasPrefix(Self.name(number) + " ") }
                #expect(own.count == 1, "\(Self.name(number)): \(own)")
                guard number >= Self.firstDescription, let line = own.first else { continue }
                let isRefused = line.contains("SND-PLG017") || line.contains("SND-PLG018")
                #expect(isRefused, "\(descriptions[number - Self.firstDescription].prefix(200)): \(line)")
            }
            // What was changed is of no importance in a few: a reserved byte, a part of the header that nobody reads.
            let refused = lines.filter { $0.hasPrefix("h") && $0.contains("SND-PLG") }
            #expect(refused.count >= 175 + descriptions.count, "\(refused.count) of \(count)")
        }
    }

    private static func compile(_ workspace: Workspace) async throws -> Data {
        let object = workspace.path("hostile.so")
        let result = try await workspace.run([
            "/usr/bin/cc", "-std=c11", "-D_GNU_SOURCE", "-O1", "-w", "-shared", "-fPIC", "-I",
            Checkout.path("Sources/CSondePlugin/include"), "-I", workspace.path("."),
            Checkout.path("Tests/EndToEndTests/Fixtures/hostile.c"), "-o", object,
        ])
        try #require(result.end == .exited(0), "\(result.errors)")
        return try Data(contentsOf: URL(fileURLWithPath: object))
    }

    private static func name(_ number: Int) -> String {
        "h" + String(repeating: "0", count: 3 - "\(number)".count) + "\(number)"
    }
}
