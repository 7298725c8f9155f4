internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

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
    convenience init(_ tape: SourceTape? = nil) throws(NetlinkError) {
        if let tape {
            try self.init(taped: tape)
            return
        }
        // Before the first dump, so that nothing that changes after it is missed.
        let watch = try LinkWatch(.links)
        // Without it speeds are unknown, everything else is not.
        let speeds = try? LinkSpeedReader()
        self.init(try LinkReader(), takeChanges: { watch.drain() }, speed: { speeds?.speed(of: $0) })
    }

    /// The same, on a tape.
    private convenience init(taped tape: SourceTape) throws(NetlinkError) {
        let isOutside = tape.mode == .recording
        let watch = try? isOutside ? LinkWatch(.links) : nil
        let speeds = try? isOutside ? LinkSpeedReader() : nil
        self.init(
            LinkReader(try TapedTransport.make(.route, tape)),
            // Without a watch everything may have changed.
            takeChanges: { tape.number("links changed") { watch?.drain() ?? true ? 1 : 0 } != 0 },
            speed: { name in
                let text = tape.text("speed \(name)") {
                    speeds?.speed(of: name).map { "\($0.bytesPerSecond ?? 0) \($0.duplex?.rawValue ?? "")" } ?? ""
                }
                let words = (text ?? "").split(separator: " ")
                guard let rate = words.first.flatMap({ UInt64($0) }) else { return nil }
                return LinkSpeed(
                    bytesPerSecond: rate == 0 ? nil : rate,
                    duplex: words.dropFirst().first.flatMap { LinkSpeed.Duplex(rawValue: String($0)) })
            })
    }
}
