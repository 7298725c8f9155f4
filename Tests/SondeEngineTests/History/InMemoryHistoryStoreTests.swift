import SondeTestKit
import Testing

@Suite struct InMemoryHistoryStoreTests {
    @Test(arguments: HistoryStoreContract.Rule.allCases)
    func keepsTheContract(rule: HistoryStoreContract.Rule) throws {
        try HistoryStoreContract { InMemoryHistoryStore(units: $0) }.check(rule)
    }
}
