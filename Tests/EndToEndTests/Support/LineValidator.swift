import Foundation

/// The validator of JSON Schema that Debian has, and the schema of lines of JSON.
enum LineValidator {
    static let isInstalled = FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/jsonschema")

    /// Whether it can check YAML too.
    static let isInstalledForYAML =
        isInstalled && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/yaml")

    /// Checks every line of a file, and says how many there are or what is wrong.
    static func check(_ file: String, _ workspace: Workspace) async throws -> Workspace.Result {
        try await workspace.run([
            "/usr/bin/python3", Checkout.path("Tests/EndToEndTests/Fixtures/validate.py"),
            Checkout.path("docs/spec/json-line.schema.json"), file,
        ])
    }
}
