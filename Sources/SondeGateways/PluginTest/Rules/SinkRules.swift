internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// What a sink makes of batches.
enum SinkRules {
    static func delivers(_ batch: Batch, _ subject: RuleSubject) throws(RuleEnd) {
        let instance = try subject.started()
        try delivers(batch, instance, subject)
        instance.close()
    }

    static func everyValue(_ subject: RuleSubject) throws(RuleEnd) {
        try delivers(TestBatches.everyValue(ends: subject.descriptor.ends), subject)
    }

    static func twice(_ subject: RuleSubject) throws(RuleEnd) {
        let instance = try subject.started()
        try delivers(TestBatches.usual, instance, subject)
        try delivers(TestBatches.usual.offered(attempt: 1), instance, subject)
        instance.close()
    }

    static func hostile(_ subject: RuleSubject) throws(RuleEnd) {
        let instance = try subject.started()
        do throws(SondeError) {
            _ = try instance.deliver(TestBatches.hostile)
        } catch {
            if let flaw = ErrorRules.flaw(of: error, subject.descriptor) { throw .failed(flaw) }
            guard error.failureClass.concernsData else {
                throw .failed("it fails as \(error.failureClass.name) and not for its data: \(error.shown)")
            }
        }
        // What was hostile must not be in the way of what is not.
        try delivers(TestBatches.usual, instance, subject)
        instance.close()
    }

    private static func delivers(
        _ batch: Batch, _ instance: TestInstance, _ subject: RuleSubject
    ) throws(RuleEnd) {
        let outcome = try subject.expecting("deliver") { () throws(SondeError) in try instance.deliver(batch) }
        guard outcome != .cancelled else { throw .failed("deliver ended as if it had been cancelled") }
    }

    static func unreachable(_ subject: RuleSubject) throws(RuleEnd) {
        guard let options = unreachable(subject.options) else {
            throw .skipped("no option holds a URL or an absolute path")
        }
        do throws(SondeError) {
            let instance = try subject.make(options)
            try instance.start()
            _ = try instance.deliver(TestBatches.usual)
        } catch {
            guard let flaw = ErrorRules.flaw(of: error, subject.descriptor) else { return }
            throw .failed(flaw)
        }
        throw .failed("it reports a delivery to where nothing is")
    }

    /// The same options with a port where nothing listens, or a directory that cannot exist; nil: neither occurs.
    private static func unreachable(_ options: OptionValues) -> OptionValues? {
        var values = options.values
        for (key, value) in options.values {
            guard case .string(let text) = value else { continue }
            if let scheme = text.range(of: "://") {
                let rest = text[scheme.upperBound...].drop { $0 != "/" }
                values[key] = .string("\(text[..<scheme.upperBound])127.0.0.1:1\(rest)")
            } else if text.hasPrefix("/"), key == "path" || key.hasSuffix(".path") || key.hasSuffix("_path") {
                values[key] = .string("/proc/there-is-no-such-directory/file")
            }
        }
        return values == options.values ? nil : OptionValues(values)
    }
}

extension String {
    /// Where a text occurs first; the standard library has that only with the string-processing library.
    fileprivate func range(of text: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
