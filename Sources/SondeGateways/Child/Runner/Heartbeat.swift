internal import Glibc
internal import SondeDomain

/// Shows the agent that the process of a call without a deadline runs: a frame every five seconds.
final class Heartbeat {
    private let end: CancelSignal
    private let thread: PluginThread

    init(_ channel: FrameChannel) throws(SondeError) {
        let end = try CancelSignal()
        self.end = end
        thread = try PluginThread(name: "heartbeat") {
            var state = pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0)
            while poll(&state, 1, 5_000) <= 0 {
                do throws(ChannelFlaw) { try channel.send(.beat) } catch { return }
            }
        }
    }

    func stop() {
        end.cancel()
        thread.join()
    }
}
