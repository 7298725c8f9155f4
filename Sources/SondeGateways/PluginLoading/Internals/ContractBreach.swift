/// What is wrong with data from a plugin, as the end of a sentence.
struct ContractBreach: Error, Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}
