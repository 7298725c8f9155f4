import SondeDomain
import SondeEngine
import Testing

@Suite struct DispositionTests {
    @Test(arguments: [
        (FailureClass.transient, Disposition.retry), (.rateLimited, .retry), (.resource, .retry),
        (.unsafeStorage, .retry), (.programmer, .retry), (.configuration, .hold), (.tooLarge, .split),
        (.permanentData, .setAside), (.corruptInput, .setAside),
    ])
    func eachClassHasItsDisposition(failureClass: FailureClass, expected: Disposition) {
        #expect(Disposition(failureClass, refusals: 1) == expected)
    }

    @Test(arguments: [(9, Disposition.retry), (10, .hold), (11, .hold)])
    func tenDefectsInARowAreAMatterForAPerson(defects: Int, expected: Disposition) {
        #expect(Disposition(.programmer, defects: defects) == expected)
    }

    @Test func refusedAccessHoldsTheSinkUnlessBatchesMayGo() {
        #expect(Disposition(.accessRefused) == .hold)
        #expect(Disposition(.accessRefused, onAccessRefused: .hold) == .hold)
        #expect(Disposition(.accessRefused, onAccessRefused: .reject) == .setAside)
    }

    @Test(arguments: [(19, Disposition.setAside), (20, .hold), (21, .hold)])
    func twentyRefusalsInARowAreAMatterOfConfiguration(refusals: Int, expected: Disposition) {
        #expect(Disposition(.permanentData, refusals: refusals) == expected)
    }
}
