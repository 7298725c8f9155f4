/// Takes out of netlink's answers what no metric needs: everything that is not on a list here becomes zeros of the same
/// length.
enum NetlinkPrivacy {
    /// Where a message is.
    struct Message {
        var start: Int
        var end: Int
        var type: UInt16
        var sequence: UInt32
    }

    /// What stays of a kind of message: places in its fixed part, the length of that, and attributes.
    private struct Rule {
        var kept: [Range<Int>]
        var size: Int
        var attributes: Set<UInt16>
    }

    private static let rules: [UInt16: Rule] = {
        // Sockets (`struct inet_diag_msg`): family, state, timer, ports, queues; TCP's figures, memory, shutdown, cgroup.
        // Without addresses, cookie, user and inode.
        let socket = Rule(kept: [0..<8, 40..<44, 52..<64], size: 72, attributes: [2, 7, 8, 21])
        return [
            // RTM_NEWLINK (`struct ifinfomsg`): without hardware addresses, aliases and what is not read; of IFLA_LINKINFO
            // the kind; functions of a card contain hardware addresses.
            16: Rule(kept: [0..<16], size: 16, attributes: [3, 4, 5, 10, 13, 16, 18, 27, 33, 35, 37, 47, 48]),
            // RTM_NEWNEIGH (`struct ndmsg`): no address at all.
            28: Rule(kept: [0..<12], size: 12, attributes: []),
            // RTM_NEWROUTE (`struct rtmsg`): the device that it leads to.
            24: Rule(kept: [0..<12], size: 12, attributes: [4]),
            // RTM_NEWQDISC (`struct tcmsg`) and RTM_NEWSTATS: numbers.
            36: Rule(kept: [0..<20], size: 20, attributes: [1, 3, 7]),
            92: Rule(kept: [0..<12], size: 12, attributes: [1]),
            18: socket, 20: socket,
            // NLMSG_ERROR and NLMSG_DONE: the number.
            2: Rule(kept: [0..<4], size: 4, attributes: []),
            3: Rule(kept: [0..<4], size: 4, attributes: []),
        ]
    }()

    /// Erases what is not needed; of a kind that is not known, everything.
    static func erase(_ bytes: inout [UInt8]) {
        var kept: [Range<Int>] = []
        forEachMessage(in: bytes) { message in
            kept.append(message.start..<(message.start + 16))
            guard let rule = rules[message.type] else { return }
            let content = message.start + 16
            for place in rule.kept where content + place.lowerBound < message.end {
                kept.append((content + place.lowerBound)..<min(content + place.upperBound, message.end))
            }
            var offset = content + rule.size
            while offset + 4 <= message.end {
                let length = Int(number(UInt16.self, at: offset, in: bytes))
                let type = number(UInt16.self, at: offset + 2, in: bytes) & 0x3fff
                guard length >= 4, length <= message.end - offset else { break }
                // The head of each stays: what follows is found by it.
                let isKept = rule.attributes.contains(type)
                kept.append(offset..<(isKept ? offset + length : offset + 4))
                if message.type == 16, type == 18, isKept { kept[kept.count - 1] = linkKind(offset, length, bytes) }
                offset += (length + 3) & ~3
            }
        }
        var clean = [UInt8](repeating: 0, count: bytes.count)
        for place in kept where place.lowerBound < place.upperBound {
            let place = place.clamped(to: 0..<bytes.count)
            clean.replaceSubrange(place, with: bytes[place])
        }
        bytes = clean
    }

    /// IFLA_LINKINFO as far as IFLA_INFO_KIND, where that is its first member, as the kernel writes it.
    private static func linkKind(_ offset: Int, _ length: Int, _ bytes: [UInt8]) -> Range<Int> {
        guard length >= 8, number(UInt16.self, at: offset + 6, in: bytes) & 0x3fff == 1 else {
            return offset..<(offset + 4)
        }
        return offset..<(offset + 4 + min(Int(number(UInt16.self, at: offset + 4, in: bytes)), length - 4))
    }

    /// Calls `body` with each whole message of a datagram.
    static func forEachMessage(in bytes: [UInt8], _ body: (Message) -> Void) {
        var offset = 0
        while bytes.count - offset >= 16 {
            let length = Int(number(UInt32.self, at: offset, in: bytes))
            guard length >= 16, length <= bytes.count - offset else { return }
            body(
                Message(
                    start: offset, end: offset + length, type: number(UInt16.self, at: offset + 4, in: bytes),
                    sequence: number(UInt32.self, at: offset + 8, in: bytes)))
            offset += (length + 3) & ~3
        }
    }

    /// Overwrites a number.
    static func put(_ number: UInt32, at offset: Int, in bytes: inout [UInt8]) {
        guard offset >= 0, offset + 4 <= bytes.count else { return }
        withUnsafeBytes(of: number) { bytes.replaceSubrange(offset..<(offset + 4), with: $0) }
    }

    private static func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type, at offset: Int, in bytes: [UInt8]
    ) -> Number {
        guard offset >= 0, bytes.count - offset >= MemoryLayout<Number>.size else { return 0 }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
    }
}
