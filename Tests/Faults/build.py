"""The programs under test, and what is compiled for a run."""

import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


class Build:
    """Where the programs are, and the source of numbers compiled for this run."""

    def __init__(self, binaries, directory):
        folder = os.path.realpath(binaries)
        # What is staged as it is installed has them in bin.
        staged = os.path.join(folder, "bin")
        self.binaries, self.plugins = staged if os.path.isdir(staged) else folder, directory
        self.is_debug = os.path.basename(self.binaries) == "debug"
        self.clock = os.path.join(directory, "clock.so")
        for name in ["numbers", "clock"]:
            self.compile(os.path.join(HERE, f"{name}.c"))
        subprocess.run([os.path.join(self.binaries, "sonded"), "plugins", "describe", "numbers", "--plugin-dir",
                        directory], check=True, stdout=subprocess.DEVNULL)

    def compile(self, path):
        """Makes a shared object of one C file, beside the others."""
        name = os.path.splitext(os.path.basename(path))[0]
        subprocess.run(["cc", "-std=gnu11", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-fvisibility=default",
                        "-I", os.path.join(ROOT, "Sources/CSondePlugin/include"), "-o",
                        os.path.join(self.plugins, f"{name}.so"), path], check=True)
