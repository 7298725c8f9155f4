import Foundation
import Testing

/// Contract 1.1 is frozen: what its header declares is in the header of today, at the same place of the same struct.
@Suite struct FrozenContractTests {
    private static let frozen = "Tests/SondeGatewaysTests/PluginLoading/Fixtures/Growth/sonde_plugin-1.1.h"
    private static let current = "Sources/CSondePlugin/include/sonde_plugin.h"

    /// The text without comments, and with a single space for each stretch of white space.
    private static func code(_ path: String) throws -> String {
        try Repository.text(path).replacing(/\/\*[\s\S]*?\*\//, with: " ").replacing(/\s+/, with: " ")
    }

    /// The members of each struct, in their order.
    private static func structs(_ code: String) -> [String: [String]] {
        var found: [String: [String]] = [:]
        for match in code.matches(of: /struct (sonde_\w+) \{ (.*?) \}( sonde_\w+)?;/) {
            found[String(match.1)] = match.2.split(separator: "; ").map { $0.trimmingCharacters(in: [";", " "]) }
        }
        return found
    }

    @Test func aStructOfTodayBeginsWithItsFrozenMembers() throws {
        let (frozen, current) = (Self.structs(try Self.code(Self.frozen)), Self.structs(try Self.code(Self.current)))
        #expect(frozen.count >= 17 && frozen["sonde_host"]?.contains { $0.contains("report_trouble") } == true)
        for (name, members) in frozen {
            #expect(Array(current[name]?.prefix(members.count) ?? []) == members, "\(name)")
        }
    }

    @Test func everyConstantKeepsItsValue() throws {
        let constants = { (path: String) in
            Set(
                try Repository.text(path).matches(of: /(?m)^#define (SONDE_[A-Z_0-9]+) +([-0-9A-Zu(x]+)/).map {
                    "\($0.1) \($0.2)"
                })
        }
        let frozen = try constants(Self.frozen).filter { !$0.hasPrefix("SONDE_ABI_MINOR ") }
        #expect(frozen.count > 30)
        #expect(frozen.subtracting(try constants(Self.current)) == [])
    }

    /// What is appended is of a later minor version.
    @Test func theHeaderIsTheFrozenOneUntilItsMinorVersionGrows() throws {
        let (frozen, current) = (try Self.code(Self.frozen), try Self.code(Self.current))
        guard current.contains("#define SONDE_ABI_MINOR 1u") else { return }
        #expect(current == frozen)
    }
}
