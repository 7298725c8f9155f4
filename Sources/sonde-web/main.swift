internal import Glibc
internal import SondeEngine
internal import SondeWeb

// A browser that is gone is an error of the call that writes to it.
signal(SIGPIPE, SIG_IGN)
let code = await WebCommand(version: Version.text).run(Array(CommandLine.arguments.dropFirst()))
// Threads of libraries are not waited for.
_exit(code)
