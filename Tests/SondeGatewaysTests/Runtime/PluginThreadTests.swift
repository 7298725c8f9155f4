import Glibc
import SondeDomain
import SondeGateways
import Synchronization
import Testing

@Suite struct PluginThreadTests {
    @Test func itRunsItsBodyOnceOnAThreadOfItsOwn() throws {
        let seen = Mutex<[pthread_t]>([])
        let thread = try PluginThread(name: "body") { seen.withLock { $0.append(pthread_self()) } }
        thread.join()
        #expect(seen.withLock { $0.count } == 1)
        #expect(seen.withLock { $0.first } != pthread_self())
    }

    @Test func aThreadThatHangsIsWaitedForUntilAnInstantAndCanBeJoinedLater() throws {
        let gate = try Gate()
        let thread = try PluginThread(name: "body") { gate.wait() }
        let end = SystemClock().monotonicTime.advanced(by: .milliseconds(20))
        #expect(!thread.join(by: end))
        #expect(SystemClock().monotonicTime >= end)
        for past in [Int64.min, 0] { #expect(!thread.join(by: MonotonicInstant(nanoseconds: past))) }
        gate.open()
        #expect(thread.join(by: .distantFuture))
    }

    @Test(arguments: ["kernel", "a name that is far longer than the kernel keeps", "", "ä💧ä💧ä💧"])
    func itCarriesItsNameAsFarAsTheKernelKeepsIt(name: String) throws {
        let seen = Mutex<[UInt8]>([])
        let thread = try PluginThread(name: name) {
            var bytes = [UInt8](repeating: 0, count: 64)
            let file = open("/proc/thread-self/comm", O_RDONLY | O_CLOEXEC)
            let count = read(file, &bytes, bytes.count)
            close(file)
            // The kernel ends the name with a line feed.
            let name = Array(bytes.prefix(max(1, count) - 1))
            seen.withLock { $0 = name }
        }
        thread.join()
        #expect(seen.withLock { $0 } == Array(name.utf8.prefix(15)))
    }
}
