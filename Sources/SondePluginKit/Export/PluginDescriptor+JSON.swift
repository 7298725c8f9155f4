internal import SondeDomain

extension PluginDescriptor {
    /// The description as the contract carries it (docs/spec/plugin-description.md).
    ///
    /// Options and their ranges are numbers in base units: nanoseconds and bytes.
    package var json: String {
        var object = JSONObject()
        object.add("name", name)
        object.add("kind", kind.rawValue)
        object.add("version", version)
        object.add("summary", summary)
        object.add("stability", stability.rawValue)
        if let delivery { object.add("delivery", delivery.rawValue) }
        if ends { object.add("ends", raw: "true") }
        if !sees.isEmpty {
            object.add("sees", raw: JSONObject.array(sees.map(\.rawValue).sorted().map(JSONObject.quoted)))
        }
        if let seriesLimit { object.add("series_limit", raw: "\(seriesLimit)") }
        object.add("needs", raw: JSONObject.array(needs.map(JSONObject.quoted)))
        if !unit.isEmpty { object.add("unit", raw: JSONObject.array(unit.map(JSONObject.quoted))) }
        object.add("options", raw: JSONObject.array(options.map(\.json)))
        object.add("metrics", raw: JSONObject.array(metrics.map(\.json)))
        object.add("errors", raw: JSONObject.array(errors.map(\.json)))
        return object.text
    }
}

extension PluginDescriptor.ErrorDefinition {
    var json: String {
        var object = JSONObject()
        object.add("code", code)
        object.add("meaning", meaning)
        object.add("recovery", recovery)
        return object.text
    }
}

extension MetricDefinition {
    var json: String {
        var object = JSONObject()
        object.add("name", name)
        object.add("kind", kind.name)
        object.add("unit", unit)
        object.add("attributes", raw: JSONObject.array(attributes.map(JSONObject.quoted)))
        object.add("meaning", meaning)
        if level != .core { object.add("level", level.rawValue) }
        return object.text
    }
}

extension OptionDefinition {
    var json: String {
        var object = JSONObject()
        object.add("key", key)
        addType(to: &object)
        if let defaultText { object.add("default", defaultText) }
        if isRequired { object.add("required", raw: "true") }
        if isSecret { object.add("secret", raw: "true") }
        object.add("help", help)
        if let example { object.add("example", example) }
        if let saving { object.add("saving", raw: saving.json) }
        return object.text
    }

    private func addType(to object: inout JSONObject) {
        switch type {
        case .string: object.add("type", "string")
        case .choice(let words):
            object.add("type", "choice")
            object.add("values", raw: JSONObject.array(words.map(JSONObject.quoted)))
        case .bool: object.add("type", "bool")
        case .integer(let range): object.addRange("integer", "\(range.lowerBound)", "\(range.upperBound)")
        case .double(let range): object.addRange("double", "\(range.lowerBound)", "\(range.upperBound)")
        case .duration(let range):
            object.addRange("duration", "\(range.lowerBound.value)", "\(range.upperBound.value)")
        case .size(let range): object.addRange("size", "\(range.lowerBound)", "\(range.upperBound)")
        case .list: object.add("type", "list")
        case .map: object.add("type", "map")
        case .entries(let members):
            object.add("type", "entries")
            object.add("members", raw: JSONObject.array(members.map(\.json)))
        }
    }
}

extension OptionDefinition.Saving {
    fileprivate var json: String {
        var object = JSONObject()
        object.add("step", step.rawValue)
        object.add("value", valueText)
        return object.text
    }
}
