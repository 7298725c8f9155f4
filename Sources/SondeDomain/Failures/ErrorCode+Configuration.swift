extension ErrorCode {
    /// A configuration file cannot be read.
    public static let configurationUnreadable = ErrorCode("SND-CFG001")
    /// A configuration file is larger than allowed.
    public static let configurationTooLarge = ErrorCode("SND-CFG002")
    /// A configuration file holds bytes that are not text.
    public static let notText = ErrorCode("SND-CFG003")
    /// A configuration file is not YAML.
    public static let yamlSyntax = ErrorCode("SND-CFG004")
    /// A configuration file exceeds a bound on its structure.
    public static let yamlLimit = ErrorCode("SND-CFG005")
    /// A configuration file holds more than one document.
    public static let severalDocuments = ErrorCode("SND-CFG006")
    /// A key is given twice in one mapping.
    public static let duplicateKey = ErrorCode("SND-CFG007")
    /// A YAML feature that is left out on purpose.
    public static let yamlFeature = ErrorCode("SND-CFG008")
    /// The `version` is missing.
    public static let versionMissing = ErrorCode("SND-CFG009")
    /// The `version` is not one that this agent reads.
    public static let versionUnsupported = ErrorCode("SND-CFG010")
    /// A key that must be set is missing.
    public static let missingKey = ErrorCode("SND-CFG011")
    /// A key that means nothing here.
    public static let unknownKey = ErrorCode("SND-CFG012")
    /// A mapping, list or single value where another of them belongs.
    public static let wrongStructure = ErrorCode("SND-CFG013")
    /// A key without a value.
    public static let missingValue = ErrorCode("SND-CFG014")
    /// A value of the wrong type.
    public static let wrongType = ErrorCode("SND-CFG015")
    /// A value that is not a duration.
    public static let malformedDuration = ErrorCode("SND-CFG016")
    /// A value that is not a size.
    public static let malformedSize = ErrorCode("SND-CFG017")
    /// A value outside its range.
    public static let outOfRange = ErrorCode("SND-CFG018")
    /// A value that is not one of the allowed words.
    public static let unknownChoice = ErrorCode("SND-CFG019")
    /// An `id` of the wrong form.
    public static let malformedID = ErrorCode("SND-CFG021")
    /// An `id` that is given twice.
    public static let duplicateID = ErrorCode("SND-CFG022")
    /// A plugin that no directory holds.
    public static let configuredPluginUnknown = ErrorCode("SND-CFG023")
    /// A source plugin used as a sink, or the reverse.
    public static let wrongPluginKind = ErrorCode("SND-CFG024")
    /// No source or no sink is enabled.
    public static let nothingEnabled = ErrorCode("SND-CFG025")
    /// A key that two files give in forms that do not merge.
    public static let conflictingFiles = ErrorCode("SND-CFG026")
    /// A `${…}` of the wrong form.
    public static let malformedReference = ErrorCode("SND-CFG027")
    /// A variable that the environment does not have.
    public static let missingVariable = ErrorCode("SND-CFG028")
    /// A file named in `${file:…}` that cannot be used.
    public static let unusableReferenceFile = ErrorCode("SND-CFG029")
    /// A secret that other users can read.
    public static let exposedSecret = ErrorCode("SND-CFG030")
    /// A plugin's default that does not fit its own option.
    public static let malformedDefault = ErrorCode("SND-CFG031")
    /// More problems than are listed.
    public static let tooManyProblems = ErrorCode("SND-CFG032")
    /// A name or glob of the wrong form.
    public static let malformedName = ErrorCode("SND-CFG033")
    /// Two sources of one plugin whose points carry the same labels.
    public static let indistinctSources = ErrorCode("SND-CFG034")
    /// Two sinks that write to one place.
    public static let sharedOutput = ErrorCode("SND-CFG035")
    /// A glob that matches no metric.
    public static let unmatchedGlob = ErrorCode("SND-CFG036")
    /// A configuration file or directory that every user can write to.
    public static let writableConfiguration = ErrorCode("SND-CFG037")
    /// A file in `conf.d` that is not read for its name.
    public static let fragmentIgnored = ErrorCode("SND-CFG038")
    /// An `override` that has nothing to change, or may not.
    public static let unusableOverride = ErrorCode("SND-CFG039")
    /// A fact of the host that is referred to and not known.
    public static let missingHostFact = ErrorCode("SND-CFG040")
    /// A credential of the service manager that is referred to and not there.
    public static let missingCredential = ErrorCode("SND-CFG041")
    /// What a remote configuration may not hold.
    public static let forbiddenRemotely = ErrorCode("SND-CFG042")
}
