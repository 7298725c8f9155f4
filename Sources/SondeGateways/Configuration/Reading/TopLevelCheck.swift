import SondeDomain
import SondeEngine

/// Checks the top level of the files before their sections are read.
struct TopLevelCheck {
    let reading: ConfigurationReading

    func check() {
        for (index, file) in reading.activeFiles.enumerated() where file.isParsed {
            checkVersion(of: file, isMain: index == 0)
            for entry in file.entries where !ConfigurationSchema.topLevelKeys.contains(entry.key) {
                if file.isRemote, entry.key == RemoteFileCheck.serial { continue }
                if entry.key != HostSelection.key { reject(entry) } else if index == 0 { rejectCondition(entry) }
            }
        }
    }

    /// Nothing is reported when a file could not be parsed: it may have what is missing.
    func requireEnabled(_ section: ComponentReader.Section, _ noun: String) {
        guard section.enabledCount == 0, reading.files.allSatisfy(\.isParsed) else { return }
        let leftOut = reading.provenance.leftOut.filter { $0.reason.hasPrefix("'\(HostSelection.key)'") }
        let host = leftOut.isEmpty ? "" : " on host \(Shown.text(reading.provenance.host))"
        let more = leftOut.count > 1 ? ", and \(leftOut.count - 1) more" : ""
        reading.report(
            .nothingEnabled, at: section.mark ?? reading.start, "no \(noun) is enabled\(host)",
            suggestion: leftOut.first.map { "left out is \($0.part) at \($0.mark): \($0.reason)\(more)" }
                ?? "add one to '\(noun)s'")
    }

    private func checkVersion(of file: ConfigurationFile, isMain: Bool) {
        guard let entry = file.entry("version") else {
            guard isMain else { return }
            reading.report(
                .versionMissing, at: file.text.start, "the configuration has no 'version'",
                suggestion: "write 'version: \(ConfigurationSchema.version)' in the first line")
            return
        }
        let definition = OptionDefinition("version", .string, required: true, help: "The version of the configuration.")
        guard let read = ValueReader(reading: reading, definition: definition).read(entry) else { return }
        if case .scalar(let scalar) = entry.value.content, scalar.style != .plain {
            return reading.report(
                .wrongType, at: entry.value.mark, "'version' must be a number, not text",
                suggestion: "write 'version: \(ConfigurationSchema.version)' without quotes")
        }
        guard case .string(let version) = read.value, version != ConfigurationSchema.version else { return }
        reading.report(
            .versionUnsupported, at: entry.value.mark, "version \(Shown.text(version)) is not supported",
            suggestion: "this release reads version \(ConfigurationSchema.version)")
    }

    private func rejectCondition(_ entry: YAMLEntry) {
        reading.checkReferences(in: entry.value)
        reading.report(
            .unknownKey, at: entry.keyMark, "the main file is for every host and has no '\(entry.key)'",
            suggestion: "write it in a file of conf.d or in an entry")
    }

    private func reject(_ entry: YAMLEntry) {
        reading.checkReferences(in: entry.value)
        if ConfigurationSchema.agent.contains(where: { $0.key.prefix { $0 != "." } == entry.key }) {
            reading.report(
                .unknownKey, at: entry.keyMark, "unknown key \(Shown.text(entry.key)) at the top level",
                suggestion: "it belongs below 'agent'")
            return
        }
        let near = reading.isFull ? nil : Vocabulary(ConfigurationSchema.topLevelKeys).nearest(to: entry.key)
        reading.report(
            .unknownKey, at: entry.keyMark, "unknown key \(Shown.text(entry.key)) at the top level",
            suggestion: near.map { "did you mean \(Shown.text($0))?" }
                ?? "the keys are \(Shown.list(ConfigurationSchema.topLevelKeys))")
    }
}
