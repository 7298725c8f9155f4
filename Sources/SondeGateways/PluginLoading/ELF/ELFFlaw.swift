/// Why a file is no shared object that could be loaded here.
enum ELFFlaw: Error, Hashable {
    /// It does not begin as an ELF file does.
    case notELF
    /// It is sound as far as that was read, but made for something else.
    case foreign(String)
    /// What it says of itself cannot be.
    case broken(String)
}
