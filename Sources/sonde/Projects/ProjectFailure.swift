/// Why a project was not made; with the number of the system's error.
enum ProjectFailure: Error {
    /// A file of the template cannot be read.
    case templateMissing(String, Int32)
    /// The folder or a file in it cannot be made.
    case notWritten(String, Int32)
}
