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
            #expect(Profile.json.rule(for: status).failureClass(asksToWait: false) == failureClass, "\(status)")
        }
    }

    @Test func aReceiverThatDoesNotUnpackIsHeldWithTheWayOut() {
        let rule = Profile.json.rule(for: 415)
        #expect(rule.failureClass(asksToWait: false) == .configuration)
        #expect(rule.recovery.contains("compression: none"))
    }

    @Test func onlyUnavailabilityBecomesASlowDownWithAWait() {
        for status in 200...599 {
            let rule = Profile.json.rule(for: status)
            let without = rule.failureClass(asksToWait: false)
            let with = rule.failureClass(asksToWait: true)
            let isUnavailable = [502, 503, 504].contains(status) || (520...529).contains(status)
            #expect(with == (isUnavailable ? .rateLimited : without), "\(status)")
        }
    }

    @Test func everyStatusHasWords() {
        for profile in Profile.all {
            for status in 200...999 {
                let rule = profile.rule(for: status)
                #expect(rule.statuses.contains(status))
                #expect(rule.meaning.hasSuffix(".") && rule.recovery.hasSuffix("."))
                #expect(rule.recovery.utf8.count <= 255)
            }
        }
    }

    @Test func noRuleHidesAnother() {
        for profile in Profile.all {
            for rules in [profile.rules, StatusRule.common] {
                for (index, rule) in rules.enumerated() {
                    let earlier = rules[..<index]
                    #expect(rule.statuses.contains { status in !earlier.contains { $0.statuses.contains(status) } })
                }
            }
        }
    }

    @Test func aRuleOfAProfileHoldsForIt() {
        var profile = Profile.json
        profile.rules = [StatusRule(409, .delivered, "It is there already.", "Nothing.")]
        #expect(profile.rule(for: 409).failureClass(asksToWait: false) == nil)
        #expect(Profile.json.rule(for: 409).failureClass(asksToWait: false) == .permanentData)
    }
}
