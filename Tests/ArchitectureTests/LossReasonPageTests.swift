import SondeDomain
import Testing

/// docs/guide/delivery.md against the reasons of losses.
@Suite struct LossReasonPageTests {
    @Test(arguments: LossReason.allCases)
    func everyReasonIsOnThePage(_ reason: LossReason) throws {
        #expect(try Repository.text("docs/guide/delivery.md").contains("`\(reason.rawValue)`"))
    }
}
