/// Why a file is not a shared object that can be loaded here.
enum ELFFlaw: Error, Hashable {
    /// It does not begin like an ELF file.
    case notELF
    /// It is valid as far as it was read, but made for another platform.
    case foreign(String)
    /// Its headers are inconsistent.
    case broken(String)
}
