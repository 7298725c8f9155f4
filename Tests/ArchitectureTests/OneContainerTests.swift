import Testing

/// What is made in one place so that it can be exchanged there.
@Suite struct OneContainerTests {
    /// A type, the folder that it lives in, and the files beside that may name it.
    static let types = [
        ("DirectoryPluginCatalog", "Sources/SondeGateways/PluginLoading/", "Sources/sonded/AppContainer"),
        ("PluginCatalogChain", "Sources/SondeGateways/PluginLoading/", "Sources/sonded/AppContainer"),
        ("ConfigurationFiles", "Sources/SondeGateways/Configuration/", "Sources/sonded/AppContainer"),
        ("BuiltInConfiguration", "Sources/SondeGateways/Configuration/", "Sources/sonded/AppContainer"),
    ]

    @Test(arguments: types)
    func onlyTheContainerNamesWhatStandsBehindAPort(_ type: String, _ home: String, _ container: String) throws {
        let files =
            Repository.files(below: "Sources", suffixes: [".swift"])
            + Repository.files(below: "plugins", suffixes: [".swift"])
        // The server of the page is a program of its own, and reads where the agent's socket is.
        let places = [home, container, "Sources/SondeWeb/WebContainer"]
        let others = files.filter { file in !places.contains { file.hasPrefix($0) } }
        let offenders = try others.filter { try Repository.text($0).contains(type) }
        #expect(offenders == [])
        #expect(files.contains { $0.hasPrefix(home) }, "the folder of \(type) has another name now")
    }
}
