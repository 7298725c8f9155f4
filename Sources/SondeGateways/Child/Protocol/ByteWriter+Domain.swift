internal import SondeDomain
internal import SondeEngine

/// The domain's types in the frames between agent and child.
extension ByteWriter {
    /// One frame: `body` writes what comes after the kind.
    mutating func frame(_ kind: ChildFrame.Kind, _ body: (inout ByteWriter) -> Void = { _ in }) {
        let offset = count
        append(UInt32(0))
        append(kind.rawValue)
        body(&self)
        set(UInt32(clamping: count - offset - 4), at: offset)
    }

    mutating func append(flag: Bool) {
        append(UInt8(flag ? 1 : 0))
    }

    mutating func append<Value>(optional value: Value?, _ body: (inout ByteWriter, Value) -> Void) {
        append(flag: value != nil)
        if let value { body(&self, value) }
    }

    mutating func append(time: Timestamp?) {
        append(optional: time) { $0.append($1.nanoseconds) }
    }

    mutating func append(attributes: [Attribute]) {
        append(variable: UInt64(attributes.count))
        for attribute in attributes {
            append(text: attribute.name)
            append(text: attribute.value)
        }
    }

    mutating func append(_ series: SeriesSpecification) {
        append(text: series.name)
        append(series.kind.rawValue)
        append(text: series.unit)
        append(attributes: series.attributes)
        append(time: series.start)
        append(optional: series.counterBits) { $0.append(variable: UInt64(clamping: $1)) }
        append(text: series.meaning)
        append(series.level?.number ?? 0)
    }

    mutating func append(_ samples: [Sample]) {
        append(variable: UInt64(samples.count))
        for sample in samples {
            append(sample.series)
            append(sample.time?.nanoseconds ?? .min)
            append(sample.value)
        }
    }

    /// Nine bytes, and those of a histogram after them.
    mutating func append(_ value: SampleValue) {
        let (kind, bits): (UInt8, UInt64) =
            switch value {
            case .double(let number): (1, number.bitPattern)
            case .signed(let number): (2, UInt64(bitPattern: number))
            case .unsigned(let number): (3, number)
            case .histogram(let histogram): (4, UInt64(histogram.bounds.count))
            case .ended: (0, 0)
            }
        write(atMost: 9) { pointer in
            pointer.storeBytes(of: kind, as: UInt8.self)
            pointer.storeBytes(of: bits.littleEndian, toByteOffset: 1, as: UInt64.self)
            return 9
        }
        guard case .histogram(let histogram) = value else { return }
        for bound in histogram.bounds { append(bound.bitPattern) }
        for count in histogram.counts { append(count) }
        append(optional: histogram.sum) { $0.append($1.bitPattern) }
    }

    mutating func append(_ rejections: [SampleRejection]) {
        append(variable: UInt64(rejections.count))
        for rejection in rejections {
            append(rejection.series)
            append(text: rejection.reason.rawValue)
        }
    }

    mutating func append(_ error: SondeError) {
        append(text: error.code.text)
        append(text: error.stage.rawValue)
        append(error.failureClass.rawValue)
        append(text: error.message)
        append(variable: UInt64(error.recovery.count))
        for action in error.recovery { append(action) }
        append(optional: error.optionPath) { $0.append(text: $1) }
        append(optional: error.retryAfter) { $0.append($1.value) }
        append(variable: UInt64(error.cause.count))
        for cause in error.cause { append(text: cause) }
    }

    private mutating func append(_ action: RecoveryAction) {
        switch action {
        case .retry(let wait):
            append(UInt8(1))
            append(wait.value)
        case .probe(let wait):
            append(UInt8(2))
            append(wait.value)
        case .split: append(UInt8(3))
        case .setAside: append(UInt8(4))
        case .refuseToStart: append(UInt8(5))
        case .advise(let text):
            append(UInt8(6))
            append(text: text)
        }
    }

    mutating func append(_ loss: Loss) {
        append(text: loss.reason)
        append(time: loss.from)
        append(time: loss.to)
        append(optional: loss.count) { $0.append($1) }
    }

    mutating func append(_ options: OptionValues) {
        append(variable: UInt64(options.values.count))
        for (path, value) in options.values {
            append(text: path)
            append(value)
        }
    }

    private mutating func append(_ value: OptionValues.Value) {
        switch value {
        case .string(let text): append(1, text)
        case .secret(let secret): append(2, secret.reveal())
        case .bool(let flag): append(3, Int64(flag ? 1 : 0))
        case .integer(let number): append(4, number)
        case .double(let number): append(5, Int64(bitPattern: number.bitPattern))
        case .duration(let span): append(6, span.value)
        case .size(let bytes): append(7, bytes)
        case .entries(let count): append(8, Int64(count))
        case .list(let items):
            append(UInt8(9))
            append(variable: UInt64(items.count))
            for item in items { append(text: item) }
        case .map(let pairs):
            append(UInt8(10))
            append(attributes: pairs)
        }
    }

    private mutating func append(_ tag: UInt8, _ text: String) {
        append(tag)
        append(text: text)
    }

    private mutating func append(_ tag: UInt8, _ number: Int64) {
        append(tag)
        append(number)
    }

    mutating func append(_ call: CallConditions, number: UInt32) {
        append(number)
        append(call.deadline.nanoseconds)
        append(call.time.nanoseconds)
        append(call.interval.value)
        append(flag: call.isFinal)
    }

    mutating func append(_ batch: Batch, meaning: (String) -> String) {
        append(text: batch.identity.agent)
        append(text: batch.identity.epoch)
        append(batch.identity.first)
        append(batch.identity.last)
        append(text: batch.sink)
        append(variable: UInt64(batch.attempt))
        append(optional: batch.resource.host) { $0.append(text: $1) }
        append(text: batch.resource.agentVersion)
        append(attributes: batch.resource.labels)
        append(variable: UInt64(batch.series.count))
        for series in batch.series { append(series, meaning: meaning(series.name)) }
        let entries = batch.entries.filter { batch.series.indices.contains($0.seriesIndex) }
        append(variable: UInt64(entries.count))
        for entry in entries {
            append(UInt32(clamping: entry.seriesIndex))
            append(entry.point.time.nanoseconds)
            append(entry.point.start?.nanoseconds ?? .min)
            append(entry.point.value)
        }
        append(variable: UInt64(batch.documents.count))
        for document in batch.documents {
            append(text: document.schema)
            append(document.time.nanoseconds)
            append(counted: document.json)
        }
    }

    private mutating func append(_ series: Series, meaning: String) {
        append(series.id.rawValue)
        append(text: series.source)
        append(text: series.name)
        append(series.kind.rawValue)
        append(text: series.unit)
        append(attributes: series.attributes)
        append(attributes: series.labels)
        append(text: series.meaning.isEmpty ? meaning : series.meaning)
    }
}
