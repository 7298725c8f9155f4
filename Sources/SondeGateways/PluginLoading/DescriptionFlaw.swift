/// Why a plugin's description is malformed, in words for the plugin's author.
struct DescriptionFlaw: Error, Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}
