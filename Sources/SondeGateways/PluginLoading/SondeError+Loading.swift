internal import SondeDomain

// Why a plugin is refused, as a failure.
extension SondeError {
    static func pluginNameInvalid(_ name: String) -> SondeError {
        refusal(
            .pluginNameInvalid,
            "'\(name.prefix(64))' cannot be the name of a plugin",
            advice: "use a lower-case letter, then at most 31 lower-case letters, digits or underscores"
        )
    }

    static func pluginNotFound(_ name: String, in places: [String], _ available: [String]) -> SondeError {
        let known = available.isEmpty ? "the plugin directories hold none" : available.joined(separator: ", ")
        return refusal(
            .pluginNotFound,
            "there is no plugin '\(name)'",
            advice: "name one that is installed (\(known)), or the directory of this one in agent.plugin_dirs",
            cause: places
        )
    }

    static func pluginNotIsolated(_ name: String) -> SondeError {
        refusal(
            .childBrokeProtocol,
            "plugin '\(name)' cannot run in a process of its own: sonde-supervisor is not installed",
            advice: "install Sonde again")
    }

    static func pluginUnreadable(_ path: String, _ reason: String) -> SondeError {
        refusal(
            .pluginUnreadable, "plugin \(path) \(reason)", advice: "install the plugin again, readable for the agent")
    }

    static func pluginFileUntrusted(_ path: String, _ reason: String) -> SondeError {
        refusal(
            .pluginFileUntrusted,
            "plugin \(path) is not trusted: \(reason)",
            advice: "after a look at what it is: chown root \(path) && chmod go-w \(path)"
        )
    }

    static func pluginDirectoryUntrusted(_ path: String, _ directory: String, _ reason: String) -> SondeError {
        refusal(
            .pluginDirectoryUntrusted,
            "plugin \(path) is not trusted: directory \(directory): \(reason)",
            advice: "move the plugin, or chown root \(directory) && chmod go-w \(directory)"
        )
    }

    static func pluginObjectRefused(_ path: String, _ flaw: ELFFlaw) -> SondeError {
        switch flaw {
        case .notELF:
            refusal(.pluginNotAnObject, "plugin \(path) is no ELF file", advice: "install the plugin's shared object")
        case .foreign(let reason):
            refusal(
                .pluginObjectForeign,
                "plugin \(path) cannot be loaded here: \(reason)",
                advice: "install the build of the plugin that is made for this machine"
            )
        case .broken(let reason):
            refusal(.pluginObjectBroken, "plugin \(path) is damaged: \(reason)", advice: "install the plugin again")
        }
    }

    static func pluginVersionMissing(_ path: String) -> SondeError {
        refusal(
            .pluginVersionMissing,
            "plugin \(path) carries no version record (section sonde_abi)",
            advice: "if it is a plugin of Sonde, build it with SONDE_PLUGIN_ABI(\"\") or SondePluginKit"
        )
    }

    static func pluginVersionRefused(
        _ path: String,
        _ flaw: PluginVersion.Flaw,
        hostMajor: UInt32,
        hostRuntime: String
    ) -> SondeError {
        switch flaw {
        case .broken(let reason):
            refusal(
                .pluginVersionBroken,
                "plugin \(path) has a broken version record: \(reason)",
                advice: "build the plugin again from clean sources"
            )
        case .unknownMajor(let major):
            refusal(
                .pluginVersionUnknown,
                "plugin \(path) is made for version \(major) of the plugin contract, this agent speaks \(hostMajor)",
                advice: "install the build of the plugin that belongs to this version of the agent"
            )
        case .otherRuntime(let runtime):
            refusal(
                .pluginRuntimeDiffers,
                "plugin \(path) is made with \(runtime), this agent with \(hostRuntime)",
                advice: "build the plugin with the agent's compiler"
            )
        }
    }

    static func pluginLinkFailed(_ path: String, _ reason: String) -> SondeError {
        refusal(
            .pluginLinkFailed,
            "plugin \(path) cannot be linked: \(reason)",
            // The linker's text begins with the name of a library that it does not find.
            advice: reason.hasPrefix("libswift")
                ? "install the package sonde-swift-runtime, which has the libraries of Swift for plugins"
                : "install the library that the message names"
        )
    }

    static func pluginKindUnsuited(_ name: String, is kind: PluginDescriptor.Kind) -> SondeError {
        refusal(
            .pluginKindUnsuited,
            "plugin '\(name)' is a \(kind.rawValue)",
            advice: "move the entry to \(kind.rawValue)s:"
        )
    }

    /// A defect of the plugin that shows once it is linked.
    static func pluginDefect(_ code: ErrorCode, _ path: String, _ defect: String) -> SondeError {
        SondeError(
            code,
            stage: .loading,
            class: .programmer,
            message: "plugin \(path) \(defect)",
            recovery: [.advise("report it to the plugin's author")]
        )
    }

    /// A file whose name is not the plugin's.
    static func pluginMisnamed(_ code: ErrorCode, _ path: String, _ defect: String) -> SondeError {
        refusal(code, "plugin \(path) \(defect)", advice: "give the file the plugin's own name")
    }

    private static func refusal(
        _ code: ErrorCode,
        _ message: String,
        advice: String,
        cause: [String] = []
    ) -> SondeError {
        SondeError(
            code,
            stage: .loading,
            class: .configuration,
            message: message,
            recovery: [.advise(advice)],
            cause: cause
        )
    }
}
