public import SondeDomain

/// A wait that differs from host to host and stays the same on each: hosts that start together do not send together.
public enum HostSplay {
    /// A share of `span` that depends only on the agent and the sink.
    public static func delay(agent: String, sink: String, within span: Nanoseconds) -> Nanoseconds {
        Nanoseconds(share(of: span, "\(agent)/\(sink)"))
    }

    /// From the first collection after a start to the second: half an interval to one and a half.
    ///
    /// The same for all sources of a host, so that they collect at the same time.
    public static func collectionPhase(agent: String, interval: Nanoseconds) -> Nanoseconds {
        Nanoseconds(interval.value / 2 &+ share(of: interval, agent))
    }

    private static func share(of span: Nanoseconds, _ text: String) -> Int64 {
        span.value > 0 ? Int64(hash(text) % UInt64(span.value)) : 0
    }

    // FNV-1a with the finalizer of MurmurHash3: the standard library's hash differs from run to run.
    private static func hash(_ text: String) -> UInt64 {
        var value: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        value = (value ^ (value >> 33)) &* 0xff51_afd7_ed55_8ccd
        value = (value ^ (value >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        return value ^ (value >> 33)
    }
}
