internal import SondeDomain

/// The value of `network.type` (OpenTelemetry) of TCP.
enum NetworkType: Int, CaseIterable {
    case ipv4
    case ipv6

    var name: String { self == .ipv4 ? "ipv4" : "ipv6" }
    var attribute: Attribute { Attribute("network.type", name) }
}

/// Where a record says of which network a connection is.
struct FamilyFields: Hashable {
    // linux/socket.h
    private static let ipv4: Int32 = 2
    private static let ipv6: Int32 = 10
    // The two bytes of ::ffff:0:0/96 that are not 0.
    private static let mappedMark: Int32 = 0xffff

    private let family: NumberField
    /// Where the IPv6 address is that shows whether an IPv4 connection is of an IPv6 socket; nil: the record does not.
    private let address: Int16?

    /// Of a record with the fields `family` and `daddr_v6`, or with whole socket addresses.
    init(_ format: TracepointFormat) throws(MissingField) {
        if let family = format.optionalNumber("family") {
            self.family = family
            address = format.fields["daddr_v6"].flatMap { $0.size == 16 ? Self.offset($0.offset) : nil }
            return
        }
        guard let socket = format.fields["daddr"], socket.size >= 24, let offset = Self.offset(socket.offset) else {
            throw MissingField("family")
        }
        family = NumberField(offset: offset, width: .half)
        address = Self.offset(socket.offset + 8)
    }

    private static func offset(_ offset: Int) -> Int16? { offset % 2 == 0 ? Int16(exactly: offset) : nil }

    /// Puts the number of the network type into a register; goes to `skip` for another family.
    ///
    /// Uses r2 and r3.
    func choose(_ program: inout ProgramBuilder, into register: Register, skip: ProgramBuilder.Label) {
        let (isIPv4, done) = (program.label(), program.label())
        program.load(.r2, family)
        program.jump(.equal, .r2, Self.ipv4, to: isIPv4)
        program.jump(.notEqual, .r2, Self.ipv6, to: skip)
        program.apply(.move, register, Int32(NetworkType.ipv6.rawValue))
        if let address {
            // The ten bytes before the mark are 0; two by two, since an address may lie at any even place.
            program.load(.r2, .half, from: .r1, at: address &+ 10)
            program.jump(.notEqual, .r2, Self.mappedMark, to: done)
            program.load(.r2, .half, from: .r1, at: address)
            for offset: Int16 in [2, 4, 6, 8] {
                program.load(.r3, .half, from: .r1, at: address &+ offset)
                program.apply(.or, .r2, .r3)
            }
            program.jump(.equal, .r2, 0, to: isIPv4)
        }
        program.jump(to: done)
        program.place(isIPv4)
        program.apply(.move, register, Int32(NetworkType.ipv4.rawValue))
        program.place(done)
    }
}
