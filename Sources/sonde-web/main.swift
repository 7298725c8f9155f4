internal import Glibc
internal import SondeEngine
internal import SondeWeb

WebCommand.prepareProcess()
let code = await WebCommand(version: Version.text).run(Array(CommandLine.arguments.dropFirst()))
// Threads of libraries are not waited for.
_exit(code)
