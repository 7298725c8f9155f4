import SondeDomain
import SondeEngine

/// One YAML file as a tree.
///
/// Repeated keys are dropped and reported; an error that makes the rest of the file ambiguous ends the reading.
struct YAMLDocument: Sendable {
    /// Nil when the file holds nothing but comments.
    let root: YAMLNode?
    /// Keys that are given twice.
    let problems: [ConfigurationProblem]

    init(_ text: SourceText, limits: YAMLLimits = YAMLLimits()) throws(ConfigurationProblem) {
        var builder = YAMLTreeBuilder(text, limits: limits)
        root = try builder.build()
        problems = builder.problems
    }
}
