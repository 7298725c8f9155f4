/// Which slot of the pipeline belongs to which interface, by name, for as long as the source exists.
final class SlotBook {
    private(set) var names: [String] = []

    /// The slot of `name`; the last one, shared, when there are no more.
    func slot(of name: String) -> UInt16 {
        if let known = names.firstIndex(of: name) { return UInt16(clamping: known) }
        guard names.count < PacketPipeline.interfaceLimit - 1 else { return UInt16(PacketPipeline.interfaceLimit - 1) }
        names.append(name)
        return UInt16(clamping: names.count - 1)
    }
}
