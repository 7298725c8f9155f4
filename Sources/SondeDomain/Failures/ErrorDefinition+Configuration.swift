extension ErrorDefinition {
    static let configuration: [ErrorDefinition] = configurationFiles + configurationKeys + configurationReferences

    private static let configurationFiles = [
        ErrorDefinition(
            .configurationUnreadable, .configuration, meaning: "A configuration file cannot be read.",
            recovery: "Check the path and that the user of the agent may read it."),
        ErrorDefinition(
            .configurationTooLarge, .configuration, meaning: "A configuration file is larger than 1 MiB.",
            recovery: "Check that it is the right file."),
        ErrorDefinition(
            .notText, .configuration, meaning: "A configuration file holds bytes that are not UTF-8 text.",
            recovery: "Save the file as UTF-8 without control characters."),
        ErrorDefinition(
            .yamlSyntax, .configuration, meaning: "A configuration file is not valid YAML.",
            recovery: "Look at the place named and just before it; indent with spaces."),
        ErrorDefinition(
            .yamlLimit, .configuration, meaning: "A configuration file is nested too deeply or holds too many values.",
            recovery: "Simplify the file; aliases are counted expanded."),
        ErrorDefinition(
            .severalDocuments, .configuration, meaning: "A configuration file holds more than one YAML document.",
            recovery: "Remove the line '---' or put the second document in conf.d."),
        ErrorDefinition(
            .duplicateKey, .configuration, meaning: "A key is given twice in one mapping.",
            recovery: "Remove one of the two."),
        ErrorDefinition(
            .yamlFeature, .configuration, meaning: "A configuration file uses a YAML feature that is not read.",
            recovery: "Write the values out: merge keys, tags and keys that are not text are refused."),
        ErrorDefinition(
            .conflictingFiles, .configuration,
            meaning: "A key is a mapping in one place and a single value or a list in another that changes it.",
            recovery: "Write it in the same form in both places."),
        ErrorDefinition(
            .writableConfiguration, .configuration,
            meaning: "Every user of the machine can write to a configuration file or conf.d, or another owns conf.d.",
            recovery: "Take it away from others: chmod o-w, chown root."),
        ErrorDefinition(
            .fragmentIgnored, .configuration, meaning: "A file in conf.d is not read because of its name.",
            recovery: "Let its name end in .yaml."),
        ErrorDefinition(
            .tooManyProblems, .configuration, meaning: "There are more problems than are listed.",
            recovery: "Repair those that are listed and check again."),
    ]

    private static let configurationKeys = [
        ErrorDefinition(
            .versionMissing, .configuration, meaning: "The configuration does not say which version it is written for.",
            recovery: "Write 'version: 1' in its first line."),
        ErrorDefinition(
            .versionUnsupported, .configuration, meaning: "The configuration is written for another version.",
            recovery: "Write 'version: 1', or use the release of the agent that the file was written for."),
        ErrorDefinition(
            .missingKey, .configuration, meaning: "A key that must be set is missing.", recovery: "Set the key."),
        ErrorDefinition(
            .unknownKey, .configuration, meaning: "A key is unknown at this place.",
            recovery: "Check the spelling and the indentation."),
        ErrorDefinition(
            .wrongStructure, .configuration,
            meaning: "A mapping, a list or a single value is where another of them belongs.",
            recovery: "Follow the form in the message."),
        ErrorDefinition(
            .missingValue, .configuration, meaning: "A key has no value.",
            recovery: "Write a value or remove the key."),
        ErrorDefinition(
            .wrongType, .configuration, meaning: "A value has the wrong type.",
            recovery: "Write a value of the type in the message."),
        ErrorDefinition(
            .malformedDuration, .configuration, meaning: "A value is not a duration.",
            recovery: "Write a number with a unit: 10s, 1m30s, 100ms."),
        ErrorDefinition(
            .malformedSize, .configuration, meaning: "A value is not a size.",
            recovery: "Write bytes or a number with a unit: 512, 10kB, 64MiB."),
        ErrorDefinition(
            .outOfRange, .configuration, meaning: "A value is outside its range.",
            recovery: "Choose a value in the range that the message names."),
        ErrorDefinition(
            .unknownChoice, .configuration, meaning: "A value is none of the words that are allowed.",
            recovery: "Choose one of the words in the message."),
        ErrorDefinition(
            .malformedID, .configuration, meaning: "The id of a source or sink has the wrong form.",
            recovery: "Use 1 to 64 of a-z, 0-9, '_', '.' and '-', beginning with a letter or digit."),
        ErrorDefinition(
            .duplicateID, .configuration, meaning: "Two sources or sinks have the same id.",
            recovery: "Rename one of them; ids are unique over sources and sinks."),
        ErrorDefinition(
            .unusableOverride, .configuration,
            meaning: "An entry with 'override' finds no earlier entry of its id, or names another plugin.",
            recovery: "Correct the id, put it after the entry that it changes, or remove 'override'."),
        ErrorDefinition(
            .forbiddenRemotely, .configuration,
            meaning: "The remote configuration holds what only the files of the host may: it could run programs, read "
                + "files or lock the centre out.",
            recovery: "Write it in the files of the host, or leave it out."),
        ErrorDefinition(
            .configuredPluginUnknown, .configuration, meaning: "No plugin directory holds the plugin.",
            recovery: "Check the name, or add its directory to agent.plugin_dirs."),
        ErrorDefinition(
            .wrongPluginKind, .configuration, meaning: "A source plugin is used as a sink, or the reverse.",
            recovery: "Move the entry to the other section."),
        ErrorDefinition(
            .nothingEnabled, .configuration, meaning: "No source or no sink is enabled.",
            recovery: "Enable at least one of each."),
        ErrorDefinition(
            .malformedDefault, .configuration, meaning: "A plugin's default does not fit its own option.",
            recovery: "Set the option, and report the plugin to its author."),
        ErrorDefinition(
            .malformedName, .configuration, meaning: "A label, glob or name has the wrong form.",
            recovery: "Follow the form in the message."),
        ErrorDefinition(
            .indistinctSources, .configuration,
            meaning: "Two sources of one plugin have the same labels: receivers cannot distinguish their series.",
            recovery: "Give each of them its own label."),
        ErrorDefinition(
            .sharedOutput, .configuration, meaning: "Two sinks write to one file, or to standard output.",
            recovery: "Keep one of them, or give each its own output."),
        ErrorDefinition(
            .unmatchedGlob, .configuration,
            meaning: "A glob of a sink's metrics matches no metric of the enabled sources.",
            recovery: "Correct the glob; 'sonde plugins describe' lists the metrics of a plugin."),
    ]

    private static let configurationReferences = [
        ErrorDefinition(
            .malformedReference, .configuration, meaning: "A reference '${…}' has the wrong form.",
            recovery: "Write ${env:NAME}, ${env:NAME:-default}, ${file:/path}, ${cred:name} or ${host:name}; write "
                + "'$${' for '${'."),
        ErrorDefinition(
            .missingHostFact, .configuration, meaning: "The host does not know of itself what is referred to.",
            recovery: "Set the host's name or machine-id, or write the value."),
        ErrorDefinition(
            .missingCredential, .configuration,
            meaning: "The service manager gave the agent no credential of the name that is referred to.",
            recovery: "Add LoadCredential=name:/path to the unit and start it again."),
        ErrorDefinition(
            .missingVariable, .configuration, meaning: "The environment does not have a variable that is referred to.",
            recovery: "Set it for the agent, or write a default: ${env:NAME:-default}."),
        ErrorDefinition(
            .unusableReferenceFile, .configuration, meaning: "A file that is referred to cannot be used.",
            recovery: "Check that it exists, is readable for the agent, is text and has at most 64 KiB."),
        ErrorDefinition(
            .exposedSecret, .configuration, meaning: "Every user of the machine can read a secret.",
            recovery: "Take the permission of others away: chmod o-rwx."),
    ]
}
