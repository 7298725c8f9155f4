import SondeDomain
import SondeEngine

extension ValueReader {
    func choice(_ scalar: ResolvedScalar, of words: [String], at mark: SourceMark) -> OptionValues.Value? {
        if words.contains(scalar.text) { return .string(scalar.text) }
        let near = Vocabulary(words).nearest(to: scalar.text)
        report(
            .unknownChoice, at: mark, "\(name) must be \(Shown.alternatives(words)), not \(shown(scalar))",
            suggestion: near.map { "did you mean \(Shown.text($0))?" })
        return nil
    }

    func bool(_ scalar: ResolvedScalar, at mark: SourceMark) -> OptionValues.Value? {
        let value = CoreSchema.bool(scalar.text)
        if let value, scalar.isTyped { return .bool(value) }
        let suggestion = value.map { "write \($0) without quotes" } ?? "write true or false"
        report(
            .wrongType, at: mark, "\(name) must be true or false, not \(shown(scalar))", suggestion: suggestion)
        return nil
    }

    func integer(_ scalar: ResolvedScalar, in range: ClosedRange<Int64>, at mark: SourceMark) -> OptionValues.Value? {
        let isHuge = scalar.isTyped && CoreSchema.isInteger(Array(scalar.text.utf8)[...])
        guard let value = CoreSchema.integer(scalar.text), scalar.isTyped else {
            guard !isHuge else { return tooLarge(scalar, at: mark) }
            return notNumber(scalar, "a whole number", isNumber: CoreSchema.integer(scalar.text) != nil, at: mark)
        }
        guard range.contains(value) else { return outOfRange(scalar, range.words { "\($0)" }, at: mark) }
        return .integer(value)
    }

    func double(_ scalar: ResolvedScalar, in range: ClosedRange<Double>, at mark: SourceMark) -> OptionValues.Value? {
        guard let value = CoreSchema.double(scalar.text), scalar.isTyped else {
            return notNumber(scalar, "a number", isNumber: CoreSchema.double(scalar.text) != nil, at: mark)
        }
        guard range.contains(value) else {
            return outOfRange(scalar, "between \(range.lowerBound) and \(range.upperBound)", at: mark)
        }
        return .double(value)
    }

    func duration(_ scalar: ResolvedScalar, in range: ClosedRange<Nanoseconds>, at mark: SourceMark) -> OptionValues
        .Value?
    {
        let words = (range.lowerBound.value...range.upperBound.value).words { DurationText.text(of: Nanoseconds($0)) }
        do {
            let span = try DurationText.parse(scalar.text)
            return range.contains(span) ? .duration(span) : outOfRange(scalar, words, at: mark)
        } catch {
            switch error {
            case .overflow: return tooLarge(scalar, at: mark)
            case .missingUnit:
                report(
                    .malformedDuration, at: mark, "\(name) is \(shown(scalar)) without a unit",
                    suggestion:
                        "write \(definition.isSecret || scalar.reference != nil ? "10" : scalar.text)s for seconds")
            case .negative:
                report(.malformedDuration, at: mark, "\(name) cannot be negative, it is \(shown(scalar))")
            case .malformed:
                report(
                    .malformedDuration, at: mark, "\(name) must be a duration, not \(shown(scalar))",
                    suggestion: "write 10s, 1m30s or 100ms")
            }
            return nil
        }
    }

    func size(_ scalar: ResolvedScalar, in range: ClosedRange<Int64>, at mark: SourceMark) -> OptionValues.Value? {
        let words = range.words(SizeText.text)
        do {
            let bytes = try SizeText.parse(scalar.text)
            return range.contains(bytes) ? .size(bytes) : outOfRange(scalar, words, at: mark)
        } catch {
            switch error {
            case .overflow: return tooLarge(scalar, at: mark)
            case .negative: report(.malformedSize, at: mark, "\(name) cannot be negative, it is \(shown(scalar))")
            case .malformed:
                report(
                    .malformedSize, at: mark, "\(name) must be a size, not \(shown(scalar))",
                    suggestion: "write 512, 10kB or 64MiB")
            }
            return nil
        }
    }

    private func notNumber(
        _ scalar: ResolvedScalar, _ noun: String, isNumber: Bool, at mark: SourceMark
    ) -> OptionValues.Value? {
        report(
            .wrongType, at: mark, "\(name) must be \(noun), not \(isNumber ? "a text" : shown(scalar))",
            suggestion: isNumber ? "write it without quotes" : nil)
        return nil
    }

    private func tooLarge(_ scalar: ResolvedScalar, at mark: SourceMark) -> OptionValues.Value? {
        report(.outOfRange, at: mark, "\(name) is more than 64 bits hold: \(shown(scalar))")
        return nil
    }

    private func outOfRange(_ scalar: ResolvedScalar, _ range: String, at mark: SourceMark) -> OptionValues.Value? {
        report(.outOfRange, at: mark, "\(name) must be \(range), not \(shown(scalar))")
        return nil
    }
}

extension ClosedRange<Int64> {
    /// The range in words; open ends are left out.
    func words(_ text: (Int64) -> String) -> String {
        switch (lowerBound == .min, upperBound == .max) {
        case (true, true): "a 64-bit number"
        case (false, true): "at least \(text(lowerBound))"
        case (true, false): "at most \(text(upperBound))"
        case (false, false): "between \(text(lowerBound)) and \(text(upperBound))"
        }
    }
}
