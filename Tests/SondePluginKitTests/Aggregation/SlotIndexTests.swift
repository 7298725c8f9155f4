import SondePluginKit
import SondeTestKit
import Testing

@Suite struct SlotIndexTests {
    /// Few hashes, so that places are contested.
    @Test(arguments: [1, 3, 7, 1000, 1_000_000] as [UInt64])
    func itFindsWhatADictionaryFinds(hashes: UInt64) {
        var generator = SeededGenerator(seed: hashes)
        var index = SlotIndex(capacity: 4)
        var truth: [UInt32: UInt64] = [:]
        for _ in 0..<4000 {
            let slot = UInt32.random(in: 0..<300, using: &generator)
            if let hash = truth.removeValue(forKey: slot) {
                index.remove(slot, hash: hash)
            } else {
                let hash = UInt64.random(in: 0..<hashes, using: &generator) << 32
                truth[slot] = hash
                index.insert(slot, hash: hash)
            }
        }
        let count = index.count
        #expect(count == truth.count)
        for (slot, hash) in truth {
            let found = index.slot(hash: hash) { $0 == slot }
            #expect(found == slot)
        }
        for slot in 0..<300 as Range<UInt32> where truth[slot] == nil {
            for hash in 0..<min(hashes, 10) {
                let found = index.slot(hash: hash << 32) { $0 == slot }
                #expect(found == nil)
            }
        }
    }

    @Test func removingWhatIsNotThereChangesNothing() {
        var index = SlotIndex(capacity: 0)
        index.insert(1, hash: 5 << 32)
        index.remove(2, hash: 5 << 32)
        index.remove(1, hash: 6 << 32)
        let found = index.slot(hash: 5 << 32) { $0 == 1 }
        let count = index.count
        #expect(found == 1)
        #expect(count == 1)
    }

    @Test func itForgetsAll() {
        var index = SlotIndex(capacity: 100)
        for slot in 0..<100 as Range<UInt32> { index.insert(slot, hash: UInt64(slot) << 32) }
        index.removeAll()
        let found = index.slot(hash: 7 << 32) { _ in true }
        let count = index.count
        #expect(found == nil)
        #expect(count == 0)
    }
}
