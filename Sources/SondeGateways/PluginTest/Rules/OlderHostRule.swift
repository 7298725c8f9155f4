internal import CSondePlugin
internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// A host of contract 1.0: shorter structs, and nothing behind their end.
enum OlderHostRule {
    static func check(_ subject: RuleSubject) throws(RuleEnd) {
        guard let object = subject.plugin as? ObjectPlugin else {
            throw .skipped("only a shared object sees the structs of its host")
        }
        switch subject.descriptor.kind {
        case .source: try checkSource(subject, object)
        case .sink: try checkSink(subject, object)
        }
    }

    private static func checkSource(_ subject: RuleSubject, _ object: ObjectPlugin) throws(RuleEnd) {
        let services = TestServices()
        let created = try create(subject, object, .source(services, tick: object.table.raw.pointee.tick != nil))
        let instance = TestInstance(.source(CSourceInstance(created)), services)
        try subject.expecting("with a host of 1.0") { () throws(SondeError) in
            try instance.start()
            try instance.work()
            try instance.work()
        }
        // A failure is where troubles are reported.
        let failing = try create(subject, object, .source(services, tick: object.table.raw.pointee.tick != nil))
        let cancelled = try subject.expecting("a descriptor") { () throws(SondeError) in try CancelSignal() }
        cancelled.cancel()
        DescriptorShortage.during {
            let instance = TestInstance(.source(CSourceInstance(failing)), services)
            _ = try? instance.start()
            _ = try? instance.call(TestInstance.conditions(cancel: cancelled.descriptor))
        }
        instance.close()
    }

    private static func checkSink(_ subject: RuleSubject, _ object: ObjectPlugin) throws(RuleEnd) {
        let services = TestServices()
        let instance = try create(subject, object, .sink(services))
        guard let deliver = object.table.raw.pointee.deliver else { return }
        var writer = BatchWriter()
        let signal = try subject.expecting("a descriptor") { () throws(SondeError) in try CancelSignal() }
        try subject.expecting("with a host of 1.0") { () throws(SondeError) in
            try instance.start()
            for batch in [TestBatches.usual, TestBatches.usual] {
                var delivery = sonde_delivery()
                delivery.struct_size = UInt32(MemoryLayout<sonde_delivery>.size)
                let conditions = TestInstance.conditions(cancel: signal.descriptor)
                _ = try instance.call(.deliver, conditions) { instance, call, failure in
                    writer.withContractBatch(batch) { batch in
                        withFirstVersion(of: batch.pointee) { deliver(instance, $0, call, &delivery, failure) }
                    }
                }
            }
        }
        instance.close()
    }

    private static func create(
        _ subject: RuleSubject, _ object: ObjectPlugin, _ role: InstanceHost.Role
    ) throws(RuleEnd) -> CInstance {
        let host = InstanceHost(id: "test", options: subject.options, descriptor: subject.descriptor, role: role)
        host.record.pointee.struct_size = UInt32(SONDE_SIZE_1_0_HOST)
        host.record.pointee.abi_minor = 0
        // What a host of 1.0 has not: a plugin that calls it all the same ends here.
        host.record.pointee.report_trouble = nil
        host.record.pointee.clear_trouble = nil
        host.record.pointee.reject_point = nil
        let instance = try subject.expecting("create with a host of 1.0") { () throws(SondeError) in
            try CInstance(object.table, host)
        }
        subject.keep(instance)
        return instance
    }

    /// Lends a batch whose series have the size of 1.0 and end where memory that may be read ends.
    private static func withFirstVersion(
        of batch: sonde_batch, _ body: (UnsafePointer<sonde_batch>) -> sonde_status
    ) -> sonde_status {
        var batch = batch
        let size = Int(SONDE_SIZE_1_0_BATCH_SERIES)
        let count = batch.series_count * size
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let room = (count + page - 1) / page * page
        let mapped = mmap(nil, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let block = mapped, block != MAP_FAILED else { return body(&batch) }
        defer { munmap(block, room + page) }
        mprotect(block.advanced(by: room), page, PROT_NONE)
        let start = block.advanced(by: room - count)
        for index in 0..<batch.series_count {
            guard let known = batch.series?[index] else { break }
            var series = known
            series.struct_size = UInt32(size)
            withUnsafeBytes(of: &series) { bytes in
                if let base = bytes.baseAddress {
                    start.advanced(by: index * size).copyMemory(from: base, byteCount: size)
                }
            }
        }
        // Read by the first element's struct_size, as the contract says.
        batch.series = UnsafePointer(start.assumingMemoryBound(to: sonde_batch_series.self))
        return body(&batch)
    }
}
