internal import CPcap
internal import Glibc
internal import SondePluginKit

/// One activated capture of libpcap.
///
/// Making one takes CAP_NET_RAW; nothing that is done with it afterwards does, and nothing opens a file or a socket.
final class CaptureHandle {
    /// Readable when packets wait.
    let descriptor: Int32
    /// The LINKTYPE_ number of its packets.
    let linkType: UInt32
    /// Whether packets are Linux cooked ones, with the index of their interface in them (LINKTYPE_LINUX_SLL2).
    var isCooked: Bool { linkType == 276 }

    private let pcap: OpaquePointer
    private let name: String
    private let filter: CaptureFilter
    private let isPromiscuous: Bool

    /// How long a packet waits at most before it is handed on, in milliseconds.
    private static let delay: Int32 = 100
    /// Each device takes two of the 4,096 steps that a filter in the kernel may have.
    private static let mostDevices = 256

    /// What the socket has.
    enum Waiting {
        case nothing
        case packets
        /// The device was switched off or is gone.
        case deviceLoss
    }

    /// What happened since the last read.
    struct Losses {
        /// Packets that reached the filter, dropped ones included.
        var received: UInt32
        /// Dropped because the buffer was full.
        var dropped: UInt32
    }

    /// Opens, activates and filters.
    ///
    /// Throws `SND-PCP002` to `SND-PCP007`.
    init(_ name: String, _ settings: CaptureSettings) throws(PluginError) {
        self.name = name
        var reason = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard let pcap = pcap_create(name, &reason) else {
            throw .captureFailed(name, Self.text(reason))
        }
        do throws(PluginError) {
            try Self.activate(pcap, name, settings)
            let linkType = try Self.chooseLinkType(pcap, name)
            filter = try Self.compile(settings, for: pcap)
            guard filter.install(on: pcap) else { throw Self.refusal(settings, pcap) }
            descriptor = pcap_get_selectable_fd(pcap)
            guard descriptor >= 0, pcap_setnonblock(pcap, 1, &reason) == 0 else {
                throw .captureFailed(name, descriptor < 0 ? "it cannot be waited for" : Self.text(reason))
            }
            self.linkType = linkType
            self.pcap = pcap
            isPromiscuous = settings.isPromiscuous && name != CaptureSettings.any
        } catch {
            pcap_close(pcap)
            throw error
        }
    }

    deinit {
        pcap_close(pcap)
    }

    /// Lets the kernel leave out packets of all devices but these, by their index; true when it does.
    ///
    /// Only with `any`. Where there are too many, the receiver filters them.
    func restrict(to devices: [UInt32]) -> Bool {
        guard !devices.isEmpty, devices.count <= Self.mostDevices else { return false }
        return CaptureFilter(filter, onlyOf: devices).install(on: pcap)
    }

    /// Takes packets of all devices again.
    ///
    /// Throws `SND-PCP007`.
    func unrestrict() throws(PluginError) {
        guard filter.install(on: pcap) else { throw failed }
    }

    /// Takes no packets until ``resume(on:)``; `device` is the one that is left, nil with `any`.
    func suspend(from device: Int32?) {
        // A renamed device would be captured on under its former name.
        _ = sonde_packet_mute(descriptor)
        if let device { wantPromiscuous(device, PACKET_DROP_MEMBERSHIP) }
    }

    /// Takes packets of a device of the same link type again, nil with `any`.
    ///
    /// Throws `SND-PCP007`.
    func resume(on device: Int32?) throws(PluginError) {
        if let device {
            guard sonde_packet_bind(descriptor, device) == 0 else {
                throw .captureFailed(name, String(cString: strerror(errno)))
            }
            wantPromiscuous(device, PACKET_ADD_MEMBERSHIP)
        }
        // What waits there is of the device before.
        _ = sonde_packet_error(descriptor)
        guard filter.install(on: pcap) else { throw failed }
    }

    /// What waits, without waiting for it; the loss of the device is returned once.
    ///
    /// Ask before ``dispatch(to:limit:)``: where nothing waits, libpcap looks at the device. It gives up one that it once saw
    /// switched off, whatever the socket is bound to since; what waits it hands on all the same.
    func waiting() -> Waiting {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 0) > 0 else { return .nothing }
        if Int32(entry.revents) & POLLERR != 0, sonde_packet_error(descriptor) != 0 { return .deviceLoss }
        return Int32(entry.revents) & POLLIN != 0 ? .packets : .nothing
    }

    /// Hands what waits to `receiver`, at most `limit` packets, and returns how many there were.
    ///
    /// Throws `SND-PCP007`.
    func dispatch(to receiver: PacketReceiver, limit: Int32) throws(PluginError) -> Int32 {
        let user = Unmanaged.passUnretained(receiver).toOpaque().assumingMemoryBound(to: UInt8.self)
        let count = pcap_dispatch(pcap, limit, receiver.callback, user)
        guard count >= 0 else { throw failed }
        return count
    }

    /// What was lost since the last read, or nil when the kernel does not report it.
    func takeLosses() -> Losses? {
        var losses = Losses(received: 0, dropped: 0)
        return sonde_packet_counts(descriptor, &losses.received, &losses.dropped) == 0 ? losses : nil
    }

    private var failed: PluginError { .captureFailed(name, String(cString: pcap_geterr(pcap))) }

    private func wantPromiscuous(_ device: Int32, _ option: Int32) {
        if isPromiscuous { _ = sonde_packet_promiscuous(descriptor, device, option) }
    }

    private static func activate(_ pcap: OpaquePointer, _ name: String, _ settings: CaptureSettings) throws(PluginError)
    {
        // The filter defines how much of which packet is kept.
        let isWhole = !settings.wholeStreams.isEmpty
        pcap_set_snaplen(
            pcap, isWhole ? max(settings.snapshotLength, CaptureFilter.wholeSegment) : settings.snapshotLength)
        pcap_set_promisc(pcap, settings.isPromiscuous && name != CaptureSettings.any ? 1 : 0)
        pcap_set_timeout(pcap, delay)
        pcap_set_buffer_size(pcap, settings.bufferSize)
        pcap_set_immediate_mode(pcap, 0)
        // Every kernel with mapped buffers of libpcap has nanoseconds; without, `precision` stays at microseconds.
        pcap_set_tstamp_precision(pcap, PCAP_TSTAMP_PRECISION_NANO)
        let status = pcap_activate(pcap)
        guard status < 0 else { return }
        let reason = String(cString: pcap_geterr(pcap))
        switch status {
        case PCAP_ERROR_NO_SUCH_DEVICE: throw .interfaceAbsent(name)
        case PCAP_ERROR_IFACE_NOT_UP: throw .interfaceDown(name)
        case PCAP_ERROR_PERM_DENIED, PCAP_ERROR_PROMISC_PERM_DENIED: throw .captureForbidden(name, reason)
        default:
            if let refusal = packetSocketRefusal() { throw .captureForbidden(name, refusal) }
            throw .captureFailed(name, reason.isEmpty ? String(cString: pcap_statustostr(status)) : reason)
        }
    }

    /// Why this process may not open packet sockets, or nil when it may.
    ///
    /// A service whose address families are restricted (RestrictAddressFamilies= of systemd.exec) gets EAFNOSUPPORT, which
    /// libpcap reports like any other failure.
    private static func packetSocketRefusal() -> String? {
        let descriptor = socket(AF_PACKET, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor < 0 else {
            close(descriptor)
            return nil
        }
        let code = errno
        return [EPERM, EACCES, EAFNOSUPPORT].contains(code) ? String(cString: strerror(code)) : nil
    }

    /// Requests cooked packets that carry their interface where all interfaces are captured on.
    private static func chooseLinkType(_ pcap: OpaquePointer, _ name: String) throws(PluginError) -> UInt32 {
        if name == CaptureSettings.any, pcap_set_datalink(pcap, sonde_pcap_cooked_v2) != 0 {
            throw .captureFailed(name, "libpcap is too old for LINUX_SLL2: \(String(cString: pcap_geterr(pcap)))")
        }
        let type = pcap_datalink(pcap)
        // The one DLT_ of Linux devices that has another number as a LINKTYPE_.
        return type == DLT_RAW ? 101 : UInt32(clamping: type)
    }

    /// A filter is always installed, even one that takes every packet: only a filter makes the kernel copy no more than
    /// the first bytes of a packet.
    private static func compile(_ settings: CaptureSettings, for pcap: OpaquePointer) throws(PluginError)
        -> CaptureFilter
    {
        let filter = CaptureFilter(
            settings.filter, headLength: settings.snapshotLength, wholeOn: settings.wholeStreams, for: pcap)
        guard let filter else { throw refusal(settings, pcap) }
        return filter
    }

    private static func refusal(_ settings: CaptureSettings, _ pcap: OpaquePointer) -> PluginError {
        .filterRefused(settings.filter, String(cString: pcap_geterr(pcap)))
    }

    private static func text(_ buffer: [CChar]) -> String {
        String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
