internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// The capture on one interface, or on every uplink: open, or suspended or closed for a reason.
///
/// It is suspended while its interface is not what it was: the same handle captures again on what comes back, which takes no
/// privilege. Only ``follow(_:at:_:)`` with ``Privilege/toOpen`` makes a handle.
final class InterfaceCapture {
    /// What may be done to capture on an interface that is there.
    enum Privilege {
        /// Opening it.
        case toOpen
        /// Continuing with the handle that was opened before.
        case none
    }

    /// The configured name.
    let name: String
    /// What to poll; nil while suspended or closed.
    var descriptor: Int32? { isSuspended ? nil : handle?.descriptor }
    /// Why it is suspended or closed.
    private(set) var failure: PluginError?
    private(set) var backoff = CaptureBackoff()
    /// Whether it was open at any time.
    private(set) var wasOpened = false
    /// Packets that the kernel dropped, since the source started.
    private(set) var dropped: UInt64 = 0
    /// Packets that the interface dropped; nil with `any`, where they are not counted.
    private(set) var droppedByInterface: UInt64?
    private var isSuspended = false
    /// A device that could not be opened, and why: where it is still that one, opening it again would fail again.
    private var refusal: (device: Int32?, failure: PluginError)?
    /// A device that only a fresh start can open, and since when it is there.
    private var unopened: (device: Int32?, since: MonotonicInstant)?
    /// Whether libpcap could not hand on packets the last time.
    private var isFaulty = false

    private let settings: CaptureSettings
    private let pipeline: PacketPipeline
    private let slots: SlotBook
    private let links: HostLinks
    private var handle: CaptureHandle?
    private var receiver: PacketReceiver?
    private var uplinks: UplinkSlots?
    /// The devices that the kernel's filter names; empty: all.
    private var filtered: [UInt32] = []
    /// Of the device that was captured on last.
    private var index: Int32?
    /// The type of hardware that the handle was opened for (ARPHRD_…), and with it its packets' headers.
    private var hardwareType: UInt16 = 0
    /// Asks for what the device drops, and how much that was the last time.
    private var interfaceDrops: (request: NetlinkRequest, last: UInt64)?
    private var pending = (received: UInt64(0), dropped: UInt64(0))
    private var openings: UInt64 = 0
    /// The devices whose received packets can be identified, while it is open.
    private(set) var compared: [ReceivedBook.Capture] = []

    /// So many packets are taken before other interfaces have their turn.
    private static let turn: Int32 = 65_536
    private static let settling = Nanoseconds.seconds(5)

    init(
        _ name: String, _ settings: CaptureSettings, _ pipeline: PacketPipeline, _ slots: SlotBook, _ links: HostLinks
    ) {
        self.links = links
        self.name = name
        self.settings = settings
        self.pipeline = pipeline
        self.slots = slots
        droppedByInterface = isAny ? nil : 0
        if !isAny { _ = slots.slot(of: name) }
    }

    private var isAny: Bool { name == CaptureSettings.any }

    /// Opens or continues it where it can be captured on, and suspends it if its interface is not what it was; true when
    /// something changed.
    func follow(_ surroundings: LinkSurroundings, at now: MonotonicInstant, _ privilege: Privilege) -> Bool {
        let wasOpen = descriptor != nil
        let before = failure
        do throws(PluginError) {
            if isAny {
                try followUplinks(surroundings, privilege, at: now)
            } else {
                try followLink(surroundings, privilege, at: now)
            }
            followReceived(surroundings)
            failure = nil
            unopened = nil
            backoff.succeed()
        } catch {
            if !error.needsFreshStart { unopened = nil }
            fail(error, at: now)
        }
        return wasOpen != (descriptor != nil) || before?.code != failure?.code
    }

    /// When a fresh start is to open it; nil: it takes none.
    ///
    /// Others lose by it what they have followed, so that a device has to stay for a while, unless there is nothing to lose.
    func freshStart(whereBlind isBlind: Bool) -> MonotonicInstant? {
        unopened.map { isBlind ? $0.since : $0.since.advanced(by: Self.settling) }
    }

    /// Hands what waits to the pipeline; true when there may be more.
    ///
    /// Also while it is suspended: the kernel hands on what came last a moment later.
    func read(at now: MonotonicInstant) -> Bool {
        guard let handle, let receiver else { return false }
        switch handle.waiting() {
        case .nothing: return false
        case .deviceLoss:
            if !isSuspended { fail(.interfaceDown(name), at: now) }
            return false
        case .packets: break
        }
        do throws(PluginError) {
            let count = try handle.dispatch(to: receiver, limit: Self.turn)
            isFaulty = false
            return count >= Self.turn
        } catch {
            if !isSuspended { fail(error, at: now) }
            // The first time the device may have been lost in this very moment.
            if isFaulty { close() }
            isFaulty = true
            return false
        }
    }

    /// What was received and dropped since the last read.
    func takeLosses() -> (received: UInt64, dropped: UInt64) {
        addLosses()
        defer { pending = (0, 0) }
        return pending
    }

    private func followLink(
        _ surroundings: LinkSurroundings, _ privilege: Privilege, at now: MonotonicInstant
    ) throws(PluginError) {
        let description = surroundings.descriptions.first { $0.link.name == name }
        // The device that was captured on, under the name that it has now.
        let renamed = surroundings.links.first { $0.index == index && $0.name != name }?.name
        guard let description else {
            throw renamed == nil ? .interfaceAbsent(name) : .interfaceRenamed(name, renamed)
        }
        let link = description.link
        guard descriptor == nil || link.index == index else { throw .interfaceRenamed(name, renamed) }
        guard link.isUp else { throw .interfaceDown(name) }
        guard descriptor == nil else { return }
        // What another device has captured cannot be read as packets of this one.
        if handle != nil, description.hardwareType != hardwareType { release() }
        try begin(on: link.index, privilege, at: now) { opened in
            PacketReceiver(pipeline, slot: slots.slot(of: name), linkType: opened.linkType)
        }
        hardwareType = description.hardwareType
        index = link.index
        followInterfaceDrops(on: link.index)
    }

    private func followUplinks(
        _ surroundings: LinkSurroundings, _ privilege: Privilege, at now: MonotonicInstant
    ) throws(PluginError) {
        let links = surroundings.uplinks.links
        guard !links.isEmpty else { throw .noUplink }
        let table = uplinks ?? UplinkSlots()
        table.replace(with: links.map { (UInt32(bitPattern: $0.index), slots.slot(of: $0.name)) })
        uplinks = table
        if descriptor == nil {
            try begin(on: nil, privilege, at: now) { opened in
                PacketReceiver(pipeline, uplinks: table, linkType: opened.linkType)
            }
            filtered = []
        }
        try filter(links.map { UInt32(bitPattern: $0.index) })
    }

    /// Captures on a device with the handle that there is, or with a new one.
    private func begin(
        on device: Int32?, _ privilege: Privilege, at now: MonotonicInstant,
        _ receive: (CaptureHandle) -> PacketReceiver
    ) throws(PluginError) {
        if let handle {
            try handle.resume(on: device)
        } else {
            if privilege == .none { throw missing(device, at: now) }
            let opened = try open(device)
            receiver = receive(opened)
            handle = opened
        }
        isSuspended = false
        wasOpened = true
        openings &+= 1
    }

    private func open(_ device: Int32?) throws(PluginError) -> CaptureHandle {
        do throws(PluginError) {
            let opened = try CaptureHandle(name, settings)
            refusal = nil
            return opened
        } catch {
            refusal = (device, error)
            throw error
        }
    }

    /// Why a device is not captured on that cannot be opened now.
    private func missing(_ device: Int32?, at now: MonotonicInstant) -> PluginError {
        if let refusal, refusal.device == device { return refusal.failure }
        if unopened?.device != device { unopened = nil }
        unopened = unopened ?? (device, now)
        return .freshStartNeeded(name)
    }

    /// A filter leaves packets out: then there is nothing to compare with the kernel's counts.
    private func followReceived(_ surroundings: LinkSurroundings) {
        guard settings.filter.isEmpty else { return }
        let devices = isAny ? surroundings.uplinks.links.map { ($0.index, $0.name) } : index.map { [($0, name)] } ?? []
        // What is new was not counted before: the stretches restart, too.
        if devices.map(\.0) != compared.map(\.index) { openings &+= 1 }
        receiver?.direction = nil
        compared = []
        for (index, name) in devices {
            guard let view = surroundings.received(on: index, isCooked: isAny) else { continue }
            let slot = slots.slot(of: name)
            pipeline.withReceived(slot) { $0.surplus = view.surplus }
            receiver?.direction = view.direction
            compared.append(ReceivedBook.Capture(slot: slot, index: index, opening: openings))
        }
    }

    /// Avoids copies of packets that do not count.
    private func filter(_ devices: [UInt32]) throws(PluginError) {
        guard let handle, devices != filtered else { return }
        if handle.restrict(to: devices) {
            filtered = devices
        } else if !filtered.isEmpty {
            try handle.unrestrict()
            filtered = []
        }
    }

    private func fail(_ error: PluginError, at now: MonotonicInstant) {
        suspend()
        failure = error
        backoff.fail(at: now)
    }

    private func suspend() {
        guard !isSuspended, let handle else { return }
        handle.suspend(from: isAny ? nil : index)
        addLosses()
        interfaceDrops = nil
        isSuspended = true
        compared = []
    }

    /// Takes what is still in the buffer, and the last counts with it, and ends the capture.
    func close() {
        if let handle, let receiver {
            if handle.waiting() == .packets { _ = try? handle.dispatch(to: receiver, limit: Self.turn) }
            addLosses()
        }
        release()
        compared = []
    }

    private func release() {
        handle = nil
        receiver = nil
        interfaceDrops = nil
        isSuspended = false
        isFaulty = false
    }

    private func followInterfaceDrops(on device: Int32) {
        var request = LinkReader.counterRequest(of: device)
        interfaceDrops = Self.interfaceDrops(links.counters(&request)).map { (request, $0) }
    }

    private func addLosses() {
        if var drops = interfaceDrops, let now = Self.interfaceDrops(links.counters(&drops.request)) {
            // A device whose counts were set back has dropped what they are now.
            droppedByInterface = droppedByInterface.map { $0 &+ (now >= drops.last ? now &- drops.last : now) }
            interfaceDrops = (drops.request, now)
        }
        guard let losses = handle?.takeLosses() else { return }
        pending.received &+= UInt64(losses.received)
        pending.dropped &+= UInt64(losses.dropped)
        dropped &+= UInt64(losses.dropped)
    }

    /// What a device could not hand on, as libpcap counts it (`pcap_stats`).
    private static func interfaceDrops(_ counters: LinkCounters?) -> UInt64? {
        guard let missed = counters?[.receiveMissed], let overrun = counters?[.receiveFIFO] else { return nil }
        return missed &+ overrun
    }
}
