internal import CLinux

/// What a process does before plugins run in it.
public enum PluginCalls {
    /// From now on a crash names the plugin and the instance that it happened in, and what plugins print goes to standard
    /// error.
    public static func prepareProcess() {
        sonde_name_crashes()
        sonde_send_stdio_to_standard_error()
    }
}
