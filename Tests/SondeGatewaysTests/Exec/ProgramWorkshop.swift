import Foundation
import SondeDomain
import SondeEngine
import Testing

@testable import SondeGateways

/// Scripts of a test as sources and sinks `exec`.
final class ProgramWorkshop {
    let files: PluginWorkshop
    let services = RecordingServices()
    let catalog = ExecCatalog(programs: PluginWorkshop.programs)
    private let clock = SystemClock()

    init() throws {
        files = try PluginWorkshop()
        // As the agent does: a program that does not read its input must not end the tests.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Writes a script of the shell and returns its path.
    func script(_ text: String, _ interpreter: String = "/bin/sh") throws -> String {
        try files.program("#!\(interpreter)\n\(text)", as: "program")
    }

    /// A source that runs a script.
    func source(_ script: String, _ options: [String: OptionValues.Value] = [:]) throws -> any SourceInstance {
        var options = options
        options["command"] = try options["command"] ?? .list([self.script(script)])
        return try catalog.plugin(named: "exec", kind: .source, isolation: nil)
            .makeSource(id: "probe", options: OptionValues(options), services: services)
    }

    /// Why the options of a source are refused.
    func refusal(_ options: [String: OptionValues.Value]) throws -> SondeError? {
        do throws(SondeError) {
            _ = try catalog.plugin(named: "exec", kind: .source, isolation: nil)
                .makeSource(id: "probe", options: OptionValues(options), services: services)
            return nil
        } catch {
            return error
        }
    }

    /// The conditions of a call with a deadline.
    func call(_ time: Nanoseconds = .seconds(60), cancel: Int32 = -1) -> CallConditions {
        CallConditions(
            cancelDescriptor: cancel, deadline: clock.monotonicTime.advanced(by: time), time: clock.wallTime,
            interval: .seconds(10))
    }

    /// What a collection failed with.
    func failure(of source: any SourceInstance, within time: Nanoseconds = .seconds(60)) -> SondeError? {
        do throws(SondeError) {
            _ = try source.collect(call(time))
            return nil
        } catch {
            return error
        }
    }

    /// What was committed: the names of metrics and their values.
    var committed: [String] {
        let series = services.series
        return services.commits.flatMap(\.samples).map { sample in
            let name = series.indices.contains(Int(sample.series) - 1) ? series[Int(sample.series) - 1].name : "?"
            return "\(name) \(sample.value.asDouble.map { "\($0)" } ?? "…")"
        }
    }

    /// Processes whose command line has a text.
    static func processes(with text: String) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { number in
            let line = FileManager.default.contents(atPath: "/proc/\(number)/cmdline") ?? Data()
            return String(decoding: line, as: UTF8.self).contains(text)
        }
    }
}
