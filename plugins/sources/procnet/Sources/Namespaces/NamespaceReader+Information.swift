internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

extension NamespaceReader {
    /// Opens the namespace that every collection enters.
    ///
    /// Throws `SND-PRC008`.
    func openNamespace() throws(PluginError) {
        do throws(NetlinkError) { namespace = try view.open() } catch { throw .namespaceUnreachable(view, error) }
    }

    /// Runs `body` where the tables are those of the namespace.
    ///
    /// Throws `SND-PRC008`, and what `body` throws.
    func inside(_ body: () throws(PluginError) -> Void) throws(PluginError) {
        guard let namespace else { return try body() }
        let view = view
        try namespace.inside(orThrow: { .namespaceUnreachable(view, $0) }, do: body)
    }

    /// Finds out whose network is read, and logs it when that is not plainly the host's.
    func noteNamespace() {
        if let handle = namespaceSeries { host.closeSeries(handle) }
        namespaceSeries = nil
        namespaceInformation = view.information
        guard let information = namespaceInformation else { return }
        let scope = information.first { $0.name == "sonde.netns.scope" }?.value
        guard scope == "container" || view.option != .own else { return }
        let whose = scope == "container" ? "the container's" : "'\(view.option.text)'"
        host.log(.info, "the network namespace is \(whose), number \(view.identity.map(String.init) ?? "unknown")")
    }

    /// Appends which namespace all of this is about; nothing for a copied tree.
    func appendNamespace(to samples: inout SampleBuffer) {
        guard let information = namespaceInformation else { return }
        let handle = namespaceSeries ?? host.openSeries(RateMetrics.namespace, information)
        namespaceSeries = handle
        samples.append(handle, UInt64(1))
    }
}
