internal import CSondePlugin
internal import SondeDomain
internal import SondeEngine

// What the functions of sonde_host do.
extension InstanceHost {
    func openSeries(_ pointer: UnsafePointer<sonde_series>?) -> UInt64 {
        guard let source else { return 0 }
        do throws(ContractBreach) {
            return source.openSeries(try SeriesSpecification(pointer))
        } catch {
            note(error)
            return 0
        }
    }

    func commit(
        _ first: UnsafePointer<sonde_sample>?,
        _ count: Int,
        _ checkpoint: UnsafePointer<sonde_checkpoint>?
    ) -> CommitResult {
        guard let source else { return refuse(ContractBreach("is a sink and committed samples")) }
        guard (0...SampleReader.limit).contains(count) else {
            return refuse(ContractBreach("committed more than \(SampleReader.limit) samples at once"))
        }
        let position: [UInt8]?
        do throws(ContractBreach) {
            position = try Self.position(checkpoint)
        } catch {
            return refuse(error)
        }
        guard count > 0 else { return source.commit([], checkpoint: position, invalid: 0) }
        guard let first else { return refuse(ContractBreach("committed \(count) samples at NULL")) }
        let invalid = reader.read(first, count: count)
        defer { reader.removeAll() }
        return source.commit(reader.samples, checkpoint: position, invalid: invalid)
    }

    func loadCheckpoint() -> sonde_bytes {
        guard let bytes = source?.loadCheckpoint() else { return sonde_bytes() }
        checkpoint?.deallocate()
        // An empty checkpoint is one: it needs an address too.
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 16)
        block.copyBytes(from: bytes)
        checkpoint = block
        return sonde_bytes(data: block.baseAddress, size: bytes.count)
    }

    func reportLoss(_ pointer: UnsafePointer<sonde_loss>?) {
        do throws(ContractBreach) {
            services.reportLoss(try Loss(pointer, component: id))
        } catch {
            note(error)
        }
    }

    func requestTick(every period: Nanoseconds) -> Bool {
        guard let source, offersTick else { return false }
        guard period == .zero || (.milliseconds(20)...Nanoseconds.seconds(1)).contains(period) else { return false }
        return source.requestTick(every: period)
    }

    func prefer(_ mask: UInt32) {
        let content = SendContent(rawValue: mask).intersection([.metrics, .snapshots])
        guard mayPrefer, source == nil, !content.isEmpty else {
            note(ContractBreach("called prefer_send outside of a sink's create, or with nothing known in the mask"))
            return
        }
        preferredContent = content
    }

    // Returning from the call is the one thing that helps: the breach fails it.
    private func refuse(_ breach: ContractBreach) -> CommitResult {
        failure = breach
        return .stopping
    }

    private static func position(
        _ pointer: UnsafePointer<sonde_checkpoint>?
    ) throws(ContractBreach) -> [UInt8]? {
        guard let pointer else { return nil }
        let record = UnsafeRawPointer(pointer).loadUnaligned(as: sonde_checkpoint.self)
        guard record.struct_size >= MemoryLayout<sonde_checkpoint>.size else {
            throw ContractBreach("committed a checkpoint of struct_size \(record.struct_size)")
        }
        guard (0...checkpointLimit).contains(record.data.size) else {
            throw ContractBreach("committed a checkpoint of more than \(checkpointLimit) bytes")
        }
        guard let data = record.data.data else {
            guard record.data.size == 0 else { throw ContractBreach("committed a checkpoint at NULL") }
            return nil
        }
        return [UInt8](UnsafeRawBufferPointer(start: data, count: record.data.size))
    }
}
