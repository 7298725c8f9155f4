internal import SondeDomain
internal import SondeFormats

extension SondeError {
    /// The wall clock is suspect; `release`: when this release was made, `held`: how many samples wait for the clock.
    static func clockSuspect(
        _ suspicion: ClockCheck.Suspicion,
        wall: Timestamp,
        release: Timestamp,
        held: UInt64
    ) -> SondeError {
        let bound =
            switch suspicion {
            case .beforeRelease: "which is before \(text(release)), the year of this release"
            case .beforeRecorded(let time): "which is before \(text(time)), up to which samples are recorded"
            case .unsynchronized: "to which no time daemon has set it since boot"
            }
        return SondeError(
            defined: .clockSuspect, stage: .pipeline,
            "the clock shows \(text(wall)), \(bound): samples are held and stamped when it is right, "
                + "\(held) so far")
    }

    private static func text(_ time: Timestamp) -> String {
        var text = ByteBuffer()
        text.append(time: time)
        return String(decoding: text.bytes, as: UTF8.self)
    }
}
