internal import SondeDomain
internal import SondeFormats

// The description as plugins return it, docs/spec/plugin-description.md. SondePluginKit writes it; both sides are
// held equal by a test that sends a descriptor through both.

extension PluginDescriptor {
    static let optionLimit = 512
    static let metricLimit = 4096
    static let errorLimit = 512
    static let needLimit = 64
    static let seriesLimitRange: ClosedRange<Int64> = 1...1_000_000

    /// The descriptor in the JSON.
    init(json: [UInt8]) throws(DescriptionFlaw) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.parse(
                json, limits: .init(bytes: PluginTable.descriptionLimit, depth: 8, values: 200_000))
        } catch {
            throw DescriptionFlaw(error.description)
        }
        try self.init(DescriptionObject(value, path: ""))
    }

    private init(_ object: DescriptionObject) throws(DescriptionFlaw) {
        let kind: Kind = try object.choice("kind")
        let delivery: Delivery? = try object.optionalChoice("delivery")
        guard kind == .sink || delivery == nil else { throw DescriptionFlaw("delivery is for sinks only") }
        self.init(
            name: try object.word("name"),
            kind: kind,
            version: try object.word("version"),
            summary: try object.word("summary"),
            stability: try object.optionalChoice("stability") ?? .stable,
            needs: try object.texts("needs", atMost: Self.needLimit),
            unit: try object.texts("unit", atMost: Self.needLimit),
            options: try Self.options(object),
            metrics: try Self.metrics(object),
            errors: try Self.errors(object),
            delivery: delivery,
            ends: try object.flag("ends"),
            sees: try Self.sees(object),
            seriesLimit: try Self.seriesLimit(object)
        )
        guard kind == .sink || !ends else { throw DescriptionFlaw("ends is for sinks only") }
        guard kind == .source || (sees.isEmpty && seriesLimit == nil) else {
            throw DescriptionFlaw("sees and series_limit are for sources only")
        }
    }

    private static func sees(_ object: DescriptionObject) throws(DescriptionFlaw) -> Set<View> {
        var views: Set<View> = []
        for word in try object.texts("sees", atMost: 8) {
            guard let view = View(rawValue: word) else {
                throw DescriptionFlaw("\(object.name("sees")) cannot be '\(word)'")
            }
            views.insert(view)
        }
        return views
    }

    private static func seriesLimit(_ object: DescriptionObject) throws(DescriptionFlaw) -> Int? {
        guard let limit = try object.integer("series_limit") else { return nil }
        guard seriesLimitRange.contains(limit) else {
            throw DescriptionFlaw(
                "\(object.name("series_limit")) is not from \(seriesLimitRange.lowerBound) to \(seriesLimitRange.upperBound)"
            )
        }
        return Int(limit)
    }

    private static func options(_ object: DescriptionObject) throws(DescriptionFlaw) -> [OptionDefinition] {
        var options: [OptionDefinition] = []
        var keys: Set<String> = []
        for item in try object.objects("options", atMost: optionLimit) {
            let option = try OptionDefinition(item)
            guard keys.insert(option.key).inserted else {
                throw DescriptionFlaw("\(item.name("key")) '\(option.key)' is there twice")
            }
            options.append(option)
        }
        return options
    }

    private static func metrics(_ object: DescriptionObject) throws(DescriptionFlaw) -> [MetricDefinition] {
        var metrics: [MetricDefinition] = []
        for item in try object.objects("metrics", atMost: metricLimit) {
            let word = try item.word("kind")
            guard let kind = MetricKind(name: word) else {
                throw DescriptionFlaw("\(item.name("kind")) is '\(word)', which is no kind of metric")
            }
            metrics.append(
                MetricDefinition(
                    try item.word("name"),
                    kind,
                    unit: try item.optionalText("unit") ?? "",
                    attributes: try item.texts("attributes", atMost: SeriesSpecification.attributeLimit),
                    meaning: try item.text("meaning"),
                    level: try item.optionalChoice("level") ?? .core
                )
            )
        }
        return metrics
    }

    private static func errors(_ object: DescriptionObject) throws(DescriptionFlaw) -> [ErrorDefinition] {
        var errors: [ErrorDefinition] = []
        for item in try object.objects("errors", atMost: errorLimit) {
            errors.append(
                ErrorDefinition(
                    try item.word("code"),
                    meaning: try item.text("meaning"),
                    recovery: try item.text("recovery")
                )
            )
        }
        return errors
    }
}

extension DescriptionObject {
    fileprivate func choice<Choice: RawRepresentable<String>>(_ key: String) throws(DescriptionFlaw) -> Choice {
        guard let choice: Choice = try optionalChoice(key) else { throw DescriptionFlaw("\(name(key)) is missing") }
        return choice
    }

    fileprivate func optionalChoice<Choice: RawRepresentable<String>>(
        _ key: String
    ) throws(DescriptionFlaw) -> Choice? {
        guard let word = try optionalText(key) else { return nil }
        guard let choice = Choice(rawValue: word) else { throw DescriptionFlaw("\(name(key)) cannot be '\(word)'") }
        return choice
    }
}
