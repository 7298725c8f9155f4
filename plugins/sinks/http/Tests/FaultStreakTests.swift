import SondeDomain
import Testing

@testable import HTTPPlugin

/// Faults in a row.
@Suite struct FaultStreakTests {
    private func classes(_ faults: [TransferFault?]) -> [FailureClass?] {
        var streak = FaultStreak()
        return faults.map { fault in
            guard let fault else {
                streak.end()
                return nil
            }
            return streak.failureClass(of: fault)
        }
    }

    @Test func theThirdBrokenHandshakeIsConfiguration() {
        #expect(
            classes([.handshake, .handshake, .handshake, .handshake])
                == [.transient, .transient, .configuration, .configuration]
        )
    }

    @Test func theTenthReplyThatIsNoHTTPIsConfiguration() {
        let classes = classes([TransferFault?](repeating: .notHTTP, count: 11))
        #expect(classes.firstIndex(of: .configuration) == 9)
        #expect(classes.last == .configuration)
    }

    @Test func anAnswerBetweenThemStartsOver() {
        #expect(
            classes([.handshake, .handshake, nil, .handshake, .handshake, .handshake])
                == [.transient, .transient, nil, .transient, .transient, .configuration]
        )
    }

    @Test func anotherFaultBetweenThemStartsOver() {
        #expect(
            classes([.handshake, .handshake, .unreachable, .handshake])
                == [.transient, .transient, .transient, .transient]
        )
    }

    @Test func faultsThatSayNothingOfTheConfigurationNeverBecomeOne() {
        for fault in [TransferFault.unreachable, .timeout, .connectionLost, .nameResolution, .emptyReply, .other] {
            #expect(Set(classes([TransferFault?](repeating: fault, count: 50))) == [.transient])
        }
    }
}
