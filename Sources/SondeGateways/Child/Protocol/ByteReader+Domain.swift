internal import SondeDomain
internal import SondeEngine

/// The domain's types out of frames that may hold anything: what is no valid value makes the reader invalid.
extension ByteReader {
    mutating func flag() -> Bool {
        byte() != 0
    }

    mutating func optional<Value>(_ body: (inout ByteReader) -> Value) -> Value? {
        flag() ? body(&self) : nil
    }

    mutating func time() -> Timestamp? {
        optional { Timestamp(nanoseconds: $0.number(Int64.self)) }
    }

    /// A list; each item takes at least `size` bytes.
    mutating func list<Item>(ofAtLeast size: Int, _ item: (inout ByteReader) -> Item) -> [Item] {
        let count = count(ofAtLeast: size)
        var items: [Item] = []
        items.reserveCapacity(count)
        for _ in 0..<count {
            guard isValid else { break }
            items.append(item(&self))
        }
        return items
    }

    /// A text that is no longer than the contract allows: a longer one is no valid value.
    mutating func text(atMost limit: Int) -> String {
        let bytes = counted()
        guard bytes.count <= limit else {
            fail()
            return ""
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    mutating func attributes() -> [Attribute] {
        list(ofAtLeast: 2) { Attribute($0.text(), $0.text()) }
    }

    private mutating func kind() -> MetricKind {
        guard let kind = MetricKind(rawValue: number(UInt32.self)) else {
            fail()
            return .gauge
        }
        return kind
    }

    mutating func series() -> SeriesSpecification {
        SeriesSpecification(
            name: text(atMost: SeriesSpecification.nameLimit),
            kind: kind(),
            unit: text(atMost: SeriesSpecification.unitLimit),
            attributes: list(ofAtLeast: 2) {
                Attribute(
                    $0.text(atMost: SeriesSpecification.nameLimit), $0.text(atMost: SeriesSpecification.valueLimit))
            },
            start: time(),
            counterBits: optional { Int(clamping: $0.variable()) },
            meaning: text(atMost: SeriesSpecification.valueLimit),
            level: MetricLevel(number: number(UInt32.self))
        )
    }

    /// Samples; those with a value that cannot be are among the rejections.
    mutating func samples(_ rejections: inout [SampleRejection]) -> [Sample] {
        let count = count(ofAtLeast: 25)
        var samples: [Sample] = []
        samples.reserveCapacity(count)
        for _ in 0..<count {
            let series = number(UInt64.self)
            let time = number(Int64.self)
            do throws(SampleRejection.Reason) {
                let value = try value()
                guard isValid else { break }
                samples.append(
                    Sample(series: series, time: time == .min ? nil : Timestamp(nanoseconds: time), value: value))
            } catch {
                rejections.append(SampleRejection(series: series, reason: error))
            }
        }
        return samples
    }

    mutating func value() throws(SampleRejection.Reason) -> SampleValue {
        let kind = byte()
        let bits = number(UInt64.self)
        switch kind {
        case 0: return .ended
        case 1:
            let number = Double(bitPattern: bits)
            guard number.isFinite else { throw .notFinite }
            return .double(number)
        case 2: return .signed(Int64(bitPattern: bits))
        case 3: return .unsigned(bits)
        case 4: return .histogram(try histogram(ofBounds: bits))
        default: throw .wrongType
        }
    }

    private mutating func histogram(ofBounds count: UInt64) throws(SampleRejection.Reason) -> HistogramValue {
        guard count <= UInt64(remaining / 16) else {
            fail()
            throw .malformedHistogram
        }
        let bounds = (0..<Int(count)).map { _ in Double(bitPattern: number(UInt64.self)) }
        let counts = (0...Int(count)).map { _ in number(UInt64.self) }
        let sum = optional { Double(bitPattern: $0.number(UInt64.self)) }
        guard let value = HistogramValue(bounds: bounds, counts: counts, sum: sum) else { throw .malformedHistogram }
        return value
    }

    mutating func rejections() -> [SampleRejection] {
        list(ofAtLeast: 9) {
            let series = $0.number(UInt64.self)
            return SampleRejection(series: series, reason: .init(rawValue: $0.text()) ?? .malformedRecord)
        }
    }

    mutating func error(component: String) -> SondeError {
        let code = text(atMost: InstanceHost.messageLimit)
        let stage = SondeError.Stage(rawValue: text(atMost: InstanceHost.messageLimit)) ?? .pipeline
        let failureClass = FailureClass(rawValue: number(UInt32.self)) ?? .programmer
        return SondeError(
            ErrorCode(code),
            stage: stage,
            class: failureClass,
            message: text(atMost: InstanceHost.messageLimit),
            recovery: list(ofAtLeast: 1) { $0.recovery() },
            component: component,
            optionPath: optional { $0.text(atMost: OptionRecords.pathLimit) },
            retryAfter: optional { Nanoseconds($0.number(Int64.self)) },
            cause: list(ofAtLeast: 1) { $0.text(atMost: InstanceHost.messageLimit) }
        )
    }

    private mutating func recovery() -> RecoveryAction {
        switch byte() {
        case 1: return .retry(after: Nanoseconds(number(Int64.self)))
        case 2: return .probe(every: Nanoseconds(number(Int64.self)))
        case 3: return .split
        case 4: return .setAside
        case 5: return .refuseToStart
        case 6: return .advise(text(atMost: InstanceHost.messageLimit))
        default:
            fail()
            return .split
        }
    }

    mutating func loss(component: String) -> Loss {
        Loss(
            reason: text(atMost: Loss.reasonLimit), component: component, from: time(), to: time(),
            count: optional { $0.number(UInt64.self) })
    }

    mutating func options() -> OptionValues {
        let pairs = list(ofAtLeast: 3) { ($0.text(), $0.optionValue()) }
        return OptionValues(Dictionary(pairs) { $1 })
    }

    private mutating func optionValue() -> OptionValues.Value {
        switch byte() {
        case 1: return .string(text())
        case 2: return .secret(Secret(text()))
        case 3: return .bool(number(Int64.self) != 0)
        case 4: return .integer(number(Int64.self))
        case 5: return .double(Double(bitPattern: number(UInt64.self)))
        case 6: return .duration(Nanoseconds(number(Int64.self)))
        case 7: return .size(number(Int64.self))
        case 8: return .entries(Int(clamping: number(Int64.self)))
        case 9: return .list(list(ofAtLeast: 1) { $0.text() })
        case 10: return .map(attributes())
        default:
            fail()
            return .bool(false)
        }
    }

    /// The conditions of a call, and its number.
    mutating func conditions(cancelDescriptor: Int32) -> (call: CallConditions, number: UInt32) {
        let number = number(UInt32.self)
        let call = CallConditions(
            cancelDescriptor: cancelDescriptor,
            deadline: MonotonicInstant(nanoseconds: self.number(Int64.self)),
            time: Timestamp(nanoseconds: self.number(Int64.self)),
            interval: Nanoseconds(self.number(Int64.self)),
            isFinal: flag()
        )
        return (call, number)
    }

    mutating func batch() -> Batch {
        let identity = BatchIdentity(
            agent: text(), epoch: text(), first: number(UInt64.self), last: number(UInt64.self))
        let sink = text()
        let attempt = Int(clamping: variable())
        let resource = Resource(host: optional { $0.text() }, agentVersion: text(), labels: attributes())
        let series = list(ofAtLeast: 18) { $0.batchSeries() }
        var entries: [Batch.Entry] = []
        let count = count(ofAtLeast: 29)
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let index = Int(number(UInt32.self))
            let time = Timestamp(nanoseconds: number(Int64.self))
            let start = number(Int64.self)
            guard let value = try? value(), isValid, series.indices.contains(index) else {
                fail()
                break
            }
            let point = MetricPoint(
                series: series[index].id, time: time, start: start == .min ? nil : Timestamp(nanoseconds: start),
                value: value)
            entries.append(Batch.Entry(seriesIndex: index, point: point))
        }
        let documents = list(ofAtLeast: 10) {
            Document(
                schema: $0.text(), time: Timestamp(nanoseconds: $0.number(Int64.self)), json: [UInt8]($0.counted()))
        }
        return Batch(
            identity: identity, sink: sink, attempt: attempt, resource: resource, series: series, entries: entries,
            documents: documents)
    }

    private mutating func batchSeries() -> Series {
        Series(
            id: SeriesID(rawValue: number(UInt64.self)),
            source: text(),
            name: text(),
            kind: kind(),
            unit: text(),
            attributes: attributes(),
            labels: attributes(),
            meaning: text()
        )
    }
}
