internal import CCurl

/// A list of strings in libcurl's layout, for as long as it lives.
final class CurlFieldList {
    private(set) var head: UnsafeMutablePointer<curl_slist>?

    /// The list, or nil when memory is short.
    init?(_ lines: [String]) {
        for line in lines {
            guard let longer = curl_slist_append(head, line) else {
                curl_slist_free_all(head)
                return nil
            }
            head = longer
        }
    }

    deinit {
        curl_slist_free_all(head)
    }
}
