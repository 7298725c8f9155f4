import SondeWire

/// What holds for every frame, whatever its bytes.
enum FrameInvariants {
    /// The rules that `frame` breaks.
    static func broken(_ frame: DecodedFrame, captured: Int, wireLength: Int) -> [String] {
        let wireEnd = max(captured, wireLength)
        let end = Int(frame.payloadOffset) + Int(frame.payloadCaptured)
        let isIP = frame.network == .ipv4 || frame.network == .ipv6
        let rules: [(String, Bool)] = [
            ("the captured payload lies within what was captured", frame.payloadCaptured == 0 || end <= captured),
            ("the payload lies within the frame", Int(frame.payloadOffset) + Int(frame.payloadLength) <= wireEnd),
            ("no more was captured than was sent", frame.payloadCaptured <= frame.payloadLength),
            ("ports are of a transport", !frame.hasPorts || frame.hasTransportHeader || frame.isTruncated),
            ("a transport has addresses", !frame.hasTransportHeader || frame.hasAddresses),
            ("addresses are of IP", !frame.hasAddresses || isIP),
            ("sound IP names a transport", frame.hasAddresses == (frame.transport != nil)),
            ("nothing follows a broken header", frame.malformation == .none || !frame.hasTransportHeader),
            ("a later fragment has no ports", frame.fragment != .later || !frame.hasTransportHeader && !frame.hasPorts),
            ("a frame with a tag has a VLAN", (frame.vlanCount > 0) == (frame.vlanID != nil)),
            ("VLANs have 12 bits", frame.vlanID ?? 0 < 4096),
            ("tags are limited", frame.vlanCount <= FrameLimits.vlanTags),
            ("labels are limited", frame.mplsCount <= FrameLimits.mplsLabels),
            ("only what was cut off is truncated", !frame.isTruncated || captured < wireLength),
            ("a fault is one of TCP, UDP, ICMP or SCTP", frame.transportFault == .none || frame.hasAddresses),
            ("what is not there is zero", frame.hasPorts || frame.sourcePort == 0 && frame.destinationPort == 0),
        ]
        return rules.filter { !$0.1 }.map(\.0)
    }
}
