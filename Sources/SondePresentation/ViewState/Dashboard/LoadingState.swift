/// How far a part of the dashboard is with its data.
public enum LoadingState: String, Hashable, Sendable, CaseIterable {
    /// Nothing was asked for.
    case idle
    /// The first answer is waited for: there is nothing to show.
    case loading
    /// A newer answer is waited for; the last one is shown.
    case refreshing
    /// A further page is waited for; the pages before it are shown.
    case loadingMore = "loading_more"
    /// The last answer is here.
    case success
    /// The last request failed; what was known before is still shown.
    case failed
}
