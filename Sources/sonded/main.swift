internal import CRemoteFetch
internal import Glibc
internal import SondeGateways

StandardStream.occupyClosed()

// SIGPIPE would end the process where a write to a closed pipe should end one sink.
signal(SIGPIPE, SIG_IGN)

if CommandLine.arguments.dropFirst().first == RemoteFetch.word { sonde_remote_fetch() }

// A hang-up requests a reload: until it is handled it is pending, and does not end the process.
SignalReader.holdHangUps()

if let trial = TrialCall(CommandLine.arguments) { trial.linkAndEnd() }

PluginCalls.prepareProcess()
ResidentMemory.shareOneHeap()

if CommandLine.arguments.dropFirst().first == ChildRunner.word { ChildRunner.run(AppContainer.childCatalog) }
if CommandLine.arguments.dropFirst().first == RuleChild.word {
    RuleChild.run(CommandLine.arguments.dropFirst(2).first, AppContainer.childCatalog)
}

Confinement.leaveCapabilitiesToChildren()

do {
    let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
    arguments.command.run(Session(arguments: arguments)).end()
} catch {
    StandardStream.error("sonded: \(error.message)")
    StandardStream.error(Arguments.usage)
    ExitCode.usage.end()
}
