public import SondeDomain

/// A wait that differs from host to host and stays the same on each: hosts that start together do not
/// work in step.
public enum HostSplay {
    /// A share of `span` that depends on the agent and the source or sink alone.
    public static func delay(agent: String, component: String, within span: Nanoseconds) -> Nanoseconds {
        guard span.value > 0 else { return .zero }
        return Nanoseconds(Int64(hash("\(agent)/\(component)") % UInt64(span.value)))
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
