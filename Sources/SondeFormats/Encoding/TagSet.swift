internal import SondeDomain

/// The attributes, labels and host name of a series as one flat list, for formats that have only one kind of tag.
///
/// Of equal names the first stays: an attribute precedes a label, a label of the source one of the agent, and
/// that one the agent's host name.
struct TagSet {
    /// The tags, sorted by the bytes of their names.
    let tags: [Attribute]

    /// The tags of a series; those without a value are left out.
    init(_ series: Series, _ resource: Resource) {
        var tags: [Attribute] = []
        var names: Set<String> = []
        let hostTag = resource.host.map { [Attribute("host", $0)] } ?? []
        for tag in series.attributes + series.labels + resource.labels + hostTag
        where !tag.value.isEmpty && !tag.name.isEmpty {
            if names.insert(tag.name).inserted { tags.append(tag) }
        }
        self.tags = tags.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}
