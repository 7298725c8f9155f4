internal import CCurl

/// libcurl as a whole.
enum CurlLibrary {
    // curl_global_init is to run once. A global of Swift is made once however many threads ask, which covers every
    // instance of this plugin; libcurl 7.84 and later guards itself against other users in the process
    // (CURL_VERSION_THREADSAFE). Never cleaned up: a plugin is never unloaded.
    private static let initialized = curl_global_init(sonde_curl_global_flags)

    /// Readies the library once; false when it cannot be used.
    static func prepare() -> Bool {
        initialized == CURLE_OK
    }
}
