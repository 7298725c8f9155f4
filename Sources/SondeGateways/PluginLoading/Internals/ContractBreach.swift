/// What is wrong with something that a plugin handed over, as the rest of a sentence.
struct ContractBreach: Error, Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}
