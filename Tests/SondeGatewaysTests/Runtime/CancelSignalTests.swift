import SondeGateways
import Testing

@Suite struct CancelSignalTests {
    @Test func itIsReadableForGoodOnceGiven() throws {
        let signal = try CancelSignal()
        #expect(!Poll.isReadable(signal.descriptor))
        for _ in 0..<3 {
            signal.cancel()
            #expect(Poll.isReadable(signal.descriptor))
        }
    }
}
