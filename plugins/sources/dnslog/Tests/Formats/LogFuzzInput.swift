@testable import DNSLogPlugin

/// Input for fuzzing the formats: lines, read as any resolver's.
enum LogFuzzInput {
    /// Reads `bytes` as a log whose lines show the format, and as one of each format; names what does not add up.
    static func brokenInvariants(_ bytes: UnsafeRawBufferPointer) -> [String] {
        let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
        var broken: [String] = []
        for format in [nil] + LogFormat.allCases.map(Optional.some) {
            var settings = LogSettings(top: 5)
            settings.format = format
            let pipeline = LogPipeline(settings, seed: 1)
            let stream = pipeline.open()
            for line in lines { pipeline.take(UnsafeRawBufferPointer(rebasing: line), stream) }
            pipeline.finish()
            var counted = pipeline.undecidedLines
            pipeline.withEach { analysis in
                counted += analysis.totals.lines
                broken += misfits(analysis)
            }
            if counted != UInt64(lines.count) { broken.append("\(counted) of \(lines.count) lines are counted") }
        }
        return broken
    }

    /// What does not add up in the totals of one format.
    static func misfits(_ analysis: borrowing LogAnalysis) -> [String] {
        var lanes: UInt64 = 0
        for lane in LogLane.all { lanes += analysis.totals[lane] }
        var cells: UInt64 = 0
        for cell in ResponseCell.all { cells += analysis.totals[cell] }
        var broken: [String] = []
        if lanes != analysis.totals.queries { broken.append("queries by transport and family are not all queries") }
        if cells != analysis.totals.responses { broken.append("responses by code are not all responses") }
        if analysis.totals.unparsed > analysis.totals.lines { broken.append("more lines are unparsed than there are") }
        if analysis.pending.count != 0 { broken.append("queries wait after the end") }
        return broken
    }
}
