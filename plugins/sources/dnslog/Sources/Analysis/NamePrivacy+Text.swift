internal import SondeWire

extension NamePrivacy {
    /// What may be counted of a name that was folded; nil when nothing may.
    @inline(always)
    func part(of text: LogBytes) -> LogBytes? {
        switch self {
        case .full, .hashed: text
        case .none: nil
        case .domain: Self.lastTwoLabels(of: text)
        }
    }

    /// The text of a counted name.
    func text(folded name: [UInt8]) -> String {
        hash(name: name) ?? String(decoding: name, as: UTF8.self)
    }

    private static func lastTwoLabels(of text: LogBytes) -> LogBytes {
        var dots = 0
        var index = text.count &- 1
        while index > 0 {
            if text[index] == 0x2e, text[index &- 1] != 0x5c {
                dots &+= 1
                if dots == 2 { return text.from(index &+ 1) }
            }
            index &-= 1
        }
        return text
    }
}
