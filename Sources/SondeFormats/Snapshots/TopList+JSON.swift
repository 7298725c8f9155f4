public import SondeDomain

extension TopList {
    /// Writes the members of a list with some of its rows; those beyond its end are left out.
    public func writeMembers(rows range: Range<Int>, to json: inout JSONWriter) {
        json.member("name", name)
        json.member("title", title)
        json.member("source", source)
        json.member("unit", unit)
        json.member("age_seconds", age.seconds)
        json.member("interval_seconds", interval?.seconds)
        json.member("total", number: total)
        json.member("rest", number: rest)
        json.member("count", count)
        json.member("bound", Self.bound)
        json.member("rows", Array(rows[range.clamped(to: rows.indices)]))
    }
}

extension TopList.Row: JSONWritable {
    /// Writes what the row is called, how much it is, and what identifies it.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("label", label)
            json.member("value", number: value)
            json.member("attributes") { json in
                json.object { json in
                    for attribute in attributes { json.member(attribute.name, attribute.value) }
                }
            }
        }
    }
}

extension TopListDefinition: JSONWritable {
    /// Writes a list that is not there, and what it needs.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("title", title)
            json.member("needs", needs)
        }
    }
}

extension JSONWriter {
    /// Writes a number without decimals, where it has none.
    fileprivate mutating func member(_ key: String, number: Double) {
        guard let whole = Int64(exactly: number) else { return member(key, number) }
        member(key, whole)
    }
}
