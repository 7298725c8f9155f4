import SondeDomain
import Testing

@testable import HTTPPlugin

/// The class of each status.
@Suite struct StatusRuleTests {
    private static let table: [(statuses: [Int], failureClass: FailureClass?)] = [
        ([200, 201, 202, 204, 206, 299], nil),
        ([300, 301, 302, 303, 304, 307, 308, 399], .configuration),
        ([400, 406, 409, 422], .permanentData),
        ([401, 403, 404, 407], .accessRefused),
        ([402, 405, 410, 411, 414, 415, 418, 421, 431, 451, 499], .configuration),
        ([408, 425], .transient),
        ([413], .tooLarge),
        ([429], .rateLimited),
        ([501, 505], .configuration),
        ([500, 502, 503, 504, 506, 507, 511, 520, 522, 524, 529, 530, 599, 600, 999], .transient),
    ]

    @Test(arguments: table)
    func aStatusWithoutAWaitHasItsClass(statuses: [Int], failureClass: FailureClass?) {
        for status in statuses {
            #expect(StatusRule.failureClass(of: status, asksToWait: false) == failureClass, "\(status)")
        }
    }

    @Test func onlyUnavailabilityBecomesASlowDownWithAWait() {
        for status in 200...599 {
            let without = StatusRule.failureClass(of: status, asksToWait: false)
            let with = StatusRule.failureClass(of: status, asksToWait: true)
            let isUnavailable = [502, 503, 504].contains(status) || (520...529).contains(status)
            #expect(with == (isUnavailable ? .rateLimited : without), "\(status)")
        }
    }

    @Test func everyStatusHasWords() {
        for status in 300...999 {
            let rule = StatusRule.rule(for: status)
            #expect(rule.status == status)
            #expect(rule.meaning.hasSuffix(".") && rule.recovery.hasSuffix("."))
            #expect(rule.recovery.utf8.count <= 255)
        }
    }
}
