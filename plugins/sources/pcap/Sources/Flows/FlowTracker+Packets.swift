internal import SondeWire

extension FlowTracker {
    /// Begins a flow with the packet that shows it first.
    @inline(never)
    mutating func begin(
        _ key: FlowKey, _ hash: UInt64, _ gap: FlowTable.Gap, _ frame: UnsafePointer<DecodedFrame>, _ sender: FlowEnd,
        _ time: Int64
    ) -> UInt32 {
        let transport = FlowTransport(key)
        let queue: FlowQueue.Name = transport == .tcp ? .stream : .datagram
        let slot: UInt32
        if table.isFull {
            if let slot = table.leastUseful { end(slot, .evicted) }
            meet(key, hash, gap, transport)
            slot = table.insert(FlowEntry(key, at: time), hash: hash, into: queue)
        } else {
            meet(key, hash, gap, transport)
            slot = table.insert(FlowEntry(key, at: time), hash: hash, at: gap, into: queue)
        }
        totals.start()
        classify(table[slot], transport, frame, sender)
        return slot
    }

    /// Counts the conversation of a new flow, unless there is a flow of it on another VLAN.
    @inline(__always)
    private mutating func meet(_ key: FlowKey, _ hash: UInt64, _ gap: FlowTable.Gap, _ transport: FlowTransport) {
        if gap.isShared, table.holdsConversation(of: key, hash: hash) { return }
        if key.kind == .ported || transport == .icmp { totals.meet(transport) }
    }

    /// Determines the client of a new flow, and where its packets are counted.
    @inline(__always)
    private func classify(
        _ entry: UnsafeMutablePointer<FlowEntry>, _ transport: FlowTransport, _ frame: UnsafePointer<DecodedFrame>,
        _ sender: FlowEnd
    ) {
        let key = entry.pointee.key
        var service = FlowService.portless
        if key.kind == .ported {
            let server = server(key, frame, sender)
            entry.pointee.client = server.other
            service = services.service(of: key.port(server))
        } else {
            entry.pointee.client = sender
        }
        let directions = FlowDirection.both(key, host)
        let cell = FlowCell(
            transport: transport, isIPv6: key.isIPv6, direction: directions.fromLow, service: service)
        entry.pointee.sides.0.cell = cell.index
        entry.pointee.sides.1.cell = cell.index(directions.fromHigh)
    }

    /// The end that offers the service: a SYN is sent to it and a SYN/ACK by it.
    @inline(__always)
    private func server(_ key: FlowKey, _ frame: UnsafePointer<DecodedFrame>, _ sender: FlowEnd) -> FlowEnd {
        guard frame.pointee.transport == .tcp, frame.pointee.tcpFlags.contains(.syn) else {
            return FlowService.server(of: key, sender: sender, in: services)
        }
        return frame.pointee.tcpFlags.contains(.ack) ? sender : sender.other
    }

    /// Counts a packet of a flow.
    @inline(__always)
    mutating func take(
        _ frame: UnsafePointer<DecodedFrame>, _ slot: UInt32, _ sender: FlowEnd, _ length: UInt32, _ time: Int64
    ) {
        let entry = table[slot]
        let elapsed = self.elapsed(slot, time)
        let before = entry.pointee.lastTime
        let queue =
            frame.pointee.isSoundSegment ? follow(frame, at: elapsed, slot, sender, time) : entry.pointee.queue
        let side = entry.side(sender)
        side.pointee.packets &+= 1
        side.pointee.bytes &+= UInt64(length)
        totals.add(length, cell: side.pointee.cell)
        // A flow that was restarted counts its times from this packet on.
        side.pointee.lastTime = entry.pointee.first == time ? 0 : elapsed
        // About once a second is enough for the order, and touches the neighbours' memory far less often.
        if before >> 20 != elapsed >> 20 || queue != entry.pointee.queue { table.requeue(slot, to: queue) }
    }

    /// The microseconds since the flow's first packet.
    ///
    /// A flow that has lasted too long, or whose times are invalid, is counted and continues as a new one.
    @inline(__always)
    private mutating func elapsed(_ slot: UInt32, _ time: Int64) -> UInt32 {
        let (difference, overflow) = time.subtractingReportingOverflow(table[slot].pointee.first)
        if !overflow, difference >= 0 {
            let microseconds = UInt64(difference) / 1000
            if microseconds < UInt64(activeLimit) { return UInt32(truncatingIfNeeded: microseconds) }
        }
        return resume(slot, time, overflow ? nil : difference)
    }

    /// Continues a flow as a new one that begins at `time`, `difference` nanoseconds after the one before.
    @inline(never)
    private mutating func resume(_ slot: UInt32, _ time: Int64, _ difference: Int64?) -> UInt32 {
        let entry = table[slot]
        let packetsAreShuffled = difference.map { $0 < 0 && $0 > -1_000_000_000 } ?? false
        if !packetsAreShuffled {
            count(slot, .active)
            totals.start()
        }
        // What is after the new beginning is moved to it, or as far after it as it was.
        let shift = Int64(packetsAreShuffled ? (0 &- (difference ?? 0)) / 1000 : 0 &- Int64(UInt32.max))
        entry.pointee.first = time
        entry.pointee.requestTime = entry.pointee.requestTime.moved(shift)
        if entry.pointee.handshake == .accepted { entry.pointee.acceptTime = entry.pointee.acceptTime.moved(shift) }
        for end in [FlowEnd.low, .high] {
            let side = entry.side(end)
            side.pointee.lastTime = side.pointee.lastTime.moved(shift)
            side.pointee.nextSequenceTime = side.pointee.nextSequenceTime.moved(shift)
            guard !packetsAreShuffled else { continue }
            side.pointee.packets = 0
            side.pointee.bytes = 0
        }
        if !packetsAreShuffled { entry.pointee.ranked = 0 }
        return 0
    }
}

extension DecodedFrame {
    /// Whether there is a TCP header that is plausible.
    @inline(__always)
    fileprivate var isSoundSegment: Bool { transport == .tcp && hasTransportHeader && transportFault == .none }
}

extension UInt32 {
    /// The time moved by some microseconds, not below 0.
    fileprivate func moved(_ shift: Int64) -> UInt32 {
        UInt32(clamping: Int64(self) &+ shift)
    }
}
