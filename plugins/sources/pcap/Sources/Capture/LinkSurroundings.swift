internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// The links of the host, and which of them are uplinks, as they were a moment ago.
struct LinkSurroundings {
    let descriptions: [LinkDescription]
    let links: [NetworkLink]
    let uplinks: UplinkChoice
    /// Whether the list of links is all there is.
    let isWhole: Bool

    private init(_ listing: HostLinks.Listing<LinkDescription>, _ uplinks: UplinkChoice) {
        descriptions = listing.entries
        links = listing.entries.map(\.link)
        isWhole = listing.isWhole
        self.uplinks = uplinks
    }

    /// How to identify what an interface received; nil: it is impossible.
    func received(on index: Int32, isCooked: Bool) -> ReceivedView? {
        guard let link = descriptions.first(where: { $0.link.index == index }) else { return nil }
        return ReceivedView(link, among: descriptions, isCooked: isCooked)
    }

    /// Reads them; default routes only where it takes them to choose.
    ///
    /// What an incomplete list lacks is taken from `known`.
    ///
    /// Throws `SND-PCP009`.
    static func read(
        _ host: HostLinks, _ settings: CaptureSettings, besides known: LinkSurroundings?
    ) throws(PluginError) -> LinkSurroundings {
        let listing = try host.links(besides: known?.descriptions ?? [])
        let links = listing.entries.map(\.link)
        let first = UplinkChoice(among: links, configured: settings.uplinks)
        guard first.rule == .container || first.rule == .none, settings.interfaces == [CaptureSettings.any] else {
            return LinkSurroundings(listing, first)
        }
        let routes = try host.defaultRoutes()
        return LinkSurroundings(listing, UplinkChoice(among: links, defaultRoutes: routes))
    }
}
