import SondeDomain
import SondeEngine

extension ValueReader {
    func choice(_ text: String, of words: [String], at mark: SourceMark) -> OptionValues.Value? {
        if words.contains(text) { return .string(text) }
        let near = Vocabulary(words).nearest(to: text)
        report(
            .unknownChoice, at: mark, "\(name) must be \(Shown.alternatives(words)), not \(shown(text))",
            suggestion: near.map { "did you mean \(Shown.text($0))?" })
        return nil
    }

    func bool(_ scalar: ResolvedScalar, at mark: SourceMark) -> OptionValues.Value? {
        let value = CoreSchema.bool(scalar.text)
        if let value, scalar.isTyped { return .bool(value) }
        let suggestion = value.map { "write \($0) without quotes" } ?? "write true or false"
        report(
            .wrongType, at: mark, "\(name) must be true or false, not \(shown(scalar.text))", suggestion: suggestion)
        return nil
    }

    func integer(_ scalar: ResolvedScalar, in range: ClosedRange<Int64>, at mark: SourceMark) -> OptionValues.Value? {
        let isHuge = scalar.isTyped && CoreSchema.isInteger(Array(scalar.text.utf8)[...])
        guard let value = CoreSchema.integer(scalar.text), scalar.isTyped else {
            guard !isHuge else { return tooLarge(scalar.text, at: mark) }
            return notNumber(scalar, "a whole number", isNumber: CoreSchema.integer(scalar.text) != nil, at: mark)
        }
        guard range.contains(value) else { return outOfRange(scalar.text, range.words { "\($0)" }, at: mark) }
        return .integer(value)
    }

    func double(_ scalar: ResolvedScalar, in range: ClosedRange<Double>, at mark: SourceMark) -> OptionValues.Value? {
        guard let value = CoreSchema.double(scalar.text), scalar.isTyped else {
            return notNumber(scalar, "a number", isNumber: CoreSchema.double(scalar.text) != nil, at: mark)
        }
        guard range.contains(value) else {
            return outOfRange(scalar.text, "between \(range.lowerBound) and \(range.upperBound)", at: mark)
        }
        return .double(value)
    }

    func duration(_ text: String, in range: ClosedRange<Nanoseconds>, at mark: SourceMark) -> OptionValues.Value? {
        let words = (range.lowerBound.value...range.upperBound.value).words { DurationText.text(of: Nanoseconds($0)) }
        do {
            let span = try DurationText.parse(text)
            return range.contains(span) ? .duration(span) : outOfRange(text, words, at: mark)
        } catch {
            switch error {
            case .overflow: return tooLarge(text, at: mark)
            case .missingUnit:
                report(
                    .malformedDuration, at: mark, "\(name) is \(shown(text)) without a unit",
                    suggestion: "write \(definition.isSecret ? "10" : text)s for seconds")
            case .negative:
                report(.malformedDuration, at: mark, "\(name) cannot be negative, it is \(shown(text))")
            case .malformed:
                report(
                    .malformedDuration, at: mark, "\(name) must be a duration, not \(shown(text))",
                    suggestion: "write 10s, 1m30s or 100ms")
            }
            return nil
        }
    }

    func size(_ text: String, in range: ClosedRange<Int64>, at mark: SourceMark) -> OptionValues.Value? {
        let words = range.words(SizeText.text)
        do {
            let bytes = try SizeText.parse(text)
            return range.contains(bytes) ? .size(bytes) : outOfRange(text, words, at: mark)
        } catch {
            switch error {
            case .overflow: return tooLarge(text, at: mark)
            case .negative: report(.malformedSize, at: mark, "\(name) cannot be negative, it is \(shown(text))")
            case .malformed:
                report(
                    .malformedSize, at: mark, "\(name) must be a size, not \(shown(text))",
                    suggestion: "write 512, 10kB or 64MiB")
            }
            return nil
        }
    }

    private func notNumber(
        _ scalar: ResolvedScalar, _ noun: String, isNumber: Bool, at mark: SourceMark
    ) -> OptionValues.Value? {
        report(
            .wrongType, at: mark, "\(name) must be \(noun), not \(isNumber ? "a text" : shown(scalar.text))",
            suggestion: isNumber ? "write it without quotes" : nil)
        return nil
    }

    private func tooLarge(_ text: String, at mark: SourceMark) -> OptionValues.Value? {
        report(.outOfRange, at: mark, "\(name) is more than 64 bits hold: \(shown(text))")
        return nil
    }

    private func outOfRange(_ text: String, _ range: String, at mark: SourceMark) -> OptionValues.Value? {
        report(.outOfRange, at: mark, "\(name) must be \(range), not \(shown(text))")
        return nil
    }
}

extension ClosedRange<Int64> {
    /// The range in words; ends that are no bounds are left out.
    func words(_ text: (Int64) -> String) -> String {
        switch (lowerBound == .min, upperBound == .max) {
        case (true, true): "a 64-bit number"
        case (false, true): "at least \(text(lowerBound))"
        case (true, false): "at most \(text(upperBound))"
        case (false, false): "between \(text(lowerBound)) and \(text(upperBound))"
        }
    }
}
