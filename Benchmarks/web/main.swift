// The server of `sonde web` as it is, with another pace: web-benchmark MILLISECONDS [OPTION…].
import Glibc
import SondeDomain
import SondePresentation
import SondeWeb

let words = Array(CommandLine.arguments.dropFirst())
guard let first = words.first, let pace = Int64(first) else {
    print("usage: web-benchmark MILLISECONDS [OPTION…]")
    exit(64)
}
var timing = DashboardTiming()
timing.live = .milliseconds(pace)
timing.debounce = .milliseconds(0)
signal(SIGPIPE, SIG_IGN)
exit(await WebCommand(version: "benchmark", timing: timing).run(Array(words.dropFirst())))
