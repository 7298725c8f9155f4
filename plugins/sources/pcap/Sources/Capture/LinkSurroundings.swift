internal import SondeDomain
internal import SondePluginKit

/// The links of the host, and which of them are uplinks, as they were a moment ago.
struct LinkSurroundings {
    let links: [NetworkLink]
    let uplinks: UplinkChoice

    init(_ links: [NetworkLink], _ uplinks: UplinkChoice) {
        self.links = links
        self.uplinks = uplinks
    }

    /// Reads them from the kernel; default routes only where it takes them to choose.
    ///
    /// Throws `SND-PCP009`.
    static func read(_ settings: CaptureSettings) throws(PluginError) -> LinkSurroundings {
        let links = try HostLinks.links()
        let first = UplinkChoice(among: links, configured: settings.uplinks)
        guard first.rule == .container || first.rule == .none, settings.interfaces == [CaptureSettings.any] else {
            return LinkSurroundings(links, first)
        }
        let routes = try HostLinks.defaultRoutes()
        return LinkSurroundings(links, UplinkChoice(among: links, defaultRoutes: routes))
    }
}
