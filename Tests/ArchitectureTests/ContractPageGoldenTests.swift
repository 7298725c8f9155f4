import Foundation
import Testing

@Suite struct ContractPageGoldenTests {
    @Test func thePageOfTheContractIsWhatTheHeaderSays() throws {
        let page = try ContractPage.text()
        if ProcessInfo.processInfo.environment["SONDE_UPDATE_GOLDEN"] == "1" {
            try page.write(to: Repository.url(ContractPage.path), atomically: true, encoding: .utf8)
        }
        #expect(try Repository.text(ContractPage.path) == page, "run 'make golden' and review the difference")
    }

    @Test func everyNameOfTheContractIsOnThePage() throws {
        let page = try ContractPage.text()
        let header = try Repository.text("Sources/CSondePlugin/include/sonde_plugin.h")
        let names = header.matches(of: /(?m)^(?:#define |typedef struct |    \w[\w ]*\*?\(\*|\} )(\w+)/).map {
            String($0.1)
        }
        #expect(names.count > 60)
        for name in names where name != "SONDE_PLUGIN_H" { #expect(page.contains(name), "\(name)") }
    }
}
