internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// The links of the host, and which of them are uplinks, as they were a moment ago.
struct LinkSurroundings {
    let descriptions: [LinkDescription]
    let links: [NetworkLink]
    let uplinks: UplinkChoice

    init(_ descriptions: [LinkDescription], _ uplinks: UplinkChoice) {
        self.descriptions = descriptions
        links = descriptions.map(\.link)
        self.uplinks = uplinks
    }

    /// How it can be told what an interface received; nil: it cannot.
    func received(on index: Int32, isCooked: Bool) -> ReceivedView? {
        guard let link = descriptions.first(where: { $0.link.index == index }) else { return nil }
        return ReceivedView(link, among: descriptions, isCooked: isCooked)
    }

    /// Reads them from the kernel; default routes only where it takes them to choose.
    ///
    /// Throws `SND-PCP009`.
    static func read(_ settings: CaptureSettings) throws(PluginError) -> LinkSurroundings {
        let descriptions = try HostLinks.links()
        let links = descriptions.map(\.link)
        let first = UplinkChoice(among: links, configured: settings.uplinks)
        guard first.rule == .container || first.rule == .none, settings.interfaces == [CaptureSettings.any] else {
            return LinkSurroundings(descriptions, first)
        }
        let routes = try HostLinks.defaultRoutes()
        return LinkSurroundings(descriptions, UplinkChoice(among: links, defaultRoutes: routes))
    }
}
