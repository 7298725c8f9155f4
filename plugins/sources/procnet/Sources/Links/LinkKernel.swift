internal import SondeDomain
internal import SondeNetlink

/// What is asked of the kernel about links, in one network namespace.
final class LinkKernel {
    let reader: LinkReader
    /// Whether a link came, went or changed since the last question.
    let takeChanges: () -> Bool
    /// How fast a device is.
    let speed: (String) -> LinkSpeed?

    init(_ reader: LinkReader, takeChanges: @escaping () -> Bool, speed: @escaping (String) -> LinkSpeed?) {
        self.reader = reader
        self.takeChanges = takeChanges
        self.speed = speed
    }

    /// The sockets of the namespace that the calling thread is in; they stay there.
    ///
    /// Throws ``NetlinkError``.
    convenience init() throws(NetlinkError) {
        // Before the first dump, so that nothing that changes after it is missed.
        let watch = try LinkWatch(.links)
        // Without it speeds are unknown, everything else is not.
        let speeds = try? LinkSpeedReader()
        self.init(try LinkReader(), takeChanges: { watch.drain() }, speed: { speeds?.speed(of: $0) })
    }
}
