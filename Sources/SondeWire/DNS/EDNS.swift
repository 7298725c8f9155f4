/// The contents of an OPT record (RFC 6891).
public struct EDNS: Equatable, Sendable {
    /// The options that are looked for.
    public struct Options: OptionSet, Sendable, Hashable {
        /// A bit per option.
        public let rawValue: UInt8

        /// Options of their bits.
        @inlinable
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The asker's subnet (RFC 7871).
        @inlinable public static var clientSubnet: Options { Options(rawValue: 1) }
        /// A cookie (RFC 7873).
        @inlinable public static var cookie: Options { Options(rawValue: 2) }
        /// The server's name (RFC 5001).
        @inlinable public static var nameServerID: Options { Options(rawValue: 4) }
        /// A reason in more words (RFC 8914).
        @inlinable public static var extendedError: Options { Options(rawValue: 8) }
    }

    /// The version, 0 so far.
    public let version: UInt8
    /// The high eight bits of the response code.
    public let highResponseCode: UInt8
    /// The largest UDP payload that its sender takes.
    public let payloadSize: UInt16
    /// DO: the asker understands DNSSEC.
    public let isDNSSECOK: Bool
    /// The options that are present.
    public let options: Options
    private let errorCode: UInt16

    /// The code of the first extended error, or nil without one.
    public var extendedErrorCode: UInt16? {
        options.contains(.extendedError) ? errorCode : nil
    }

    /// The contents of an OPT record.
    ///
    /// Throws ``DNSMalformation/ednsOption`` when an option reaches past the record.
    @inline(__always)
    init(recordClass: UInt16, timeToLive: UInt32, data: WireBytes) throws(DNSMalformation) {
        payloadSize = recordClass
        highResponseCode = UInt8(truncatingIfNeeded: timeToLive >> 24)
        version = UInt8(truncatingIfNeeded: timeToLive >> 16)
        isDNSSECOK = timeToLive & 0x8000 != 0
        (options, errorCode) = data.count > 0 ? try Self.read(data) : ([], 0)
    }

    /// The options, and the code of the first extended error.
    @inline(never)
    private static func read(_ data: WireBytes) throws(DNSMalformation) -> (Options, errorCode: UInt16) {
        var found: Options = []
        var error: UInt16 = 0
        var position = 0
        while position < data.count {
            guard data.has(4, at: position) else { throw .ednsOption }
            let length = Int(data.unchecked16(position &+ 2))
            guard data.has(length, at: position &+ 4) else { throw .ednsOption }
            switch data.unchecked16(position) {
            case 3: found.insert(.nameServerID)
            case 8: found.insert(.clientSubnet)
            case 10: found.insert(.cookie)
            case 15 where length >= 2 && !found.contains(.extendedError):
                found.insert(.extendedError)
                error = data.unchecked16(position &+ 4)
            default: break
            }
            position &+= 4 &+ length
        }
        return (found, error)
    }
}
