import SondeDomain
import SondeEngine

/// Finds the plugin of an entry or reports why there is none.
struct PluginLookup {
    let catalog: any PluginCatalog
    let reading: ConfigurationReading

    func descriptor(
        of name: String, isolation: Isolation?, as kind: PluginDescriptor.Kind, at mark: SourceMark
    ) -> PluginDescriptor? {
        let names = catalog.availableNames
        guard names.contains(name) else {
            reportMissing(name, among: names, at: mark)
            return nil
        }
        do {
            let descriptor = try catalog.plugin(named: name, kind: kind, isolation: isolation).descriptor
            guard descriptor.kind == kind else {
                reading.report(
                    .wrongPluginKind, at: mark,
                    "plugin \(Shown.text(name)) is a \(descriptor.kind.rawValue), not a \(kind.rawValue)",
                    suggestion: "move this entry to '\(descriptor.kind == .source ? "sources" : "sinks")'")
                return nil
            }
            return descriptor
        } catch {
            reading.report(error.code, at: mark, error.message, suggestion: error.advice)
            return nil
        }
    }

    private func reportMissing(_ name: String, among names: [String], at mark: SourceMark) {
        let near = Vocabulary(names).nearest(to: name)
        let known = names.isEmpty ? "no plugin directory holds any plugin" : "there are \(Shown.list(names))"
        reading.report(
            .configuredPluginUnknown, at: mark, "there is no plugin \(Shown.text(name))",
            suggestion: near.map { "did you mean \(Shown.text($0))?" } ?? known)
    }
}

extension SondeError {
    /// What a person can do about it, if anything.
    fileprivate var advice: String? {
        for action in recovery {
            if case .advise(let advice) = action { return advice }
        }
        return nil
    }
}
