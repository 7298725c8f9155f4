internal import SondeDomain
internal import SondePluginKit

/// The capture on one interface, or on every uplink: open, or closed for a reason.
final class InterfaceCapture {
    /// The configured name.
    let name: String
    /// What to poll; nil while closed.
    var descriptor: Int32? { handle?.descriptor }
    /// Why it is closed.
    private(set) var failure: PluginError?
    private(set) var backoff = CaptureBackoff()
    /// Whether it was open at any time.
    private(set) var wasOpened = false
    /// Packets that the kernel dropped, since the source started.
    private(set) var dropped: UInt64 = 0
    /// Packets that the interface dropped; nil with `any`, where they are not counted.
    private(set) var droppedByInterface: UInt64?

    private let settings: CaptureSettings
    private let pipeline: PacketPipeline
    private let slots: SlotBook
    private var handle: CaptureHandle?
    private var receiver: PacketReceiver?
    private var uplinks: UplinkSlots?
    /// The devices that the kernel's filter names; empty: all.
    private var filtered: [UInt32] = []
    /// Of the device that was captured on last.
    private var index: Int32?
    private var pending = (received: UInt64(0), dropped: UInt64(0))
    private var openings: UInt64 = 0
    /// The devices whose received packets can be identified, while it is open.
    private(set) var compared: [ReceivedBook.Capture] = []

    /// So many packets are taken before other interfaces have their turn.
    private static let turn: Int32 = 65_536

    init(_ name: String, _ settings: CaptureSettings, _ pipeline: PacketPipeline, _ slots: SlotBook) {
        self.name = name
        self.settings = settings
        self.pipeline = pipeline
        self.slots = slots
        droppedByInterface = isAny ? nil : 0
        if !isAny { _ = slots.slot(of: name) }
    }

    private var isAny: Bool { name == CaptureSettings.any }

    /// Opens it if it is closed, and closes it if its interface is not what it was; true when something changed.
    func follow(_ surroundings: LinkSurroundings, at now: MonotonicInstant) -> Bool {
        let wasOpen = handle != nil
        let before = failure
        do throws(PluginError) {
            if isAny {
                try followUplinks(surroundings)
            } else {
                try followLink(surroundings)
            }
            followReceived(surroundings)
            failure = nil
            backoff.succeed()
        } catch {
            fail(error, at: now)
        }
        return wasOpen != (handle != nil) || before?.code != failure?.code
    }

    /// Hands what waits to the pipeline; true when there may be more.
    func read(at now: MonotonicInstant) -> Bool {
        guard let handle, let receiver else { return false }
        do throws(PluginError) {
            return try handle.dispatch(to: receiver, limit: Self.turn) >= Self.turn
        } catch {
            fail(error, at: now)
            return false
        }
    }

    /// What was received and dropped since the last read.
    func takeLosses() -> (received: UInt64, dropped: UInt64) {
        addLosses()
        defer { pending = (0, 0) }
        return pending
    }

    private func followLink(_ surroundings: LinkSurroundings) throws(PluginError) {
        let link = surroundings.links.first { $0.name == name }
        // The device that was captured on, under the name that it has now.
        let renamed = surroundings.links.first { $0.index == index && $0.name != name }?.name
        guard let link else { throw renamed == nil ? .interfaceAbsent(name) : .interfaceRenamed(name, renamed) }
        guard handle == nil || link.index == index else { throw .interfaceRenamed(name, renamed) }
        guard link.isUp else { throw .interfaceDown(name) }
        guard handle == nil else { return }
        let opened = try CaptureHandle(name, settings)
        receiver = PacketReceiver(pipeline, slot: slots.slot(of: name), linkType: opened.linkType)
        handle = opened
        wasOpened = true
        openings &+= 1
        index = link.index
    }

    private func followUplinks(_ surroundings: LinkSurroundings) throws(PluginError) {
        let links = surroundings.uplinks.links
        guard !links.isEmpty else { throw .noUplink }
        let table = uplinks ?? UplinkSlots()
        table.replace(with: links.map { (UInt32(bitPattern: $0.index), slots.slot(of: $0.name)) })
        uplinks = table
        if handle == nil {
            let opened = try CaptureHandle(name, settings)
            receiver = PacketReceiver(pipeline, uplinks: table, linkType: opened.linkType)
            handle = opened
            wasOpened = true
            openings &+= 1
            filtered = []
        }
        try filter(links.map { UInt32(bitPattern: $0.index) })
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
        if handle.restrict(to: devices, settings) {
            filtered = devices
        } else if !filtered.isEmpty {
            try handle.unrestrict(settings)
            filtered = []
        }
    }

    private func fail(_ error: PluginError, at now: MonotonicInstant) {
        close()
        failure = error
        backoff.fail(at: now)
    }

    /// Takes what is still in the buffer, and the last counts with it.
    func close() {
        if let handle, let receiver {
            _ = try? handle.dispatch(to: receiver, limit: Self.turn)
            addLosses()
        }
        handle = nil
        receiver = nil
        compared = []
    }

    private func addLosses() {
        guard let losses = handle?.takeLosses() else { return }
        pending.received &+= UInt64(losses.received)
        pending.dropped &+= UInt64(losses.dropped)
        dropped &+= UInt64(losses.dropped)
        droppedByInterface = droppedByInterface.map { $0 &+ UInt64(losses.droppedByInterface) }
    }
}
