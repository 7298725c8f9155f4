internal import CSondePlugin
internal import SondePluginKit

/// What this agent requires of plugins before it runs any of their code.
public enum PluginContract {
    /// Major and minor version of the C contract.
    public static var version: String { "\(SONDE_ABI_MAJOR).\(SONDE_ABI_MINOR)" }

    /// The Swift runtime that Swift plugins must have been made for.
    public static var runtime: String { SwiftRuntime.name }
}
