#!/usr/bin/env python3
"""make-sbom.py DIST VERSION MACHINE OUTPUT: writes what the packages hold and need as SPDX 2.3 to the file OUTPUT.

Our packages, what is linked into the programs (the Swift runtime, the argument parser, the C library's start-up code), and
the libraries of the system that they load, with the versions that they were built and tested with here.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The server of HTTP and what is below it. What else Package.resolved names is resolved with it and not built.
LINKED_BY_WEB = [
    "hummingbird", "swift-async-algorithms", "swift-atomics", "swift-collections", "swift-http-types", "swift-log", "swift-nio",
    "swift-nio-extras", "swift-nio-ssl", "swift-service-lifecycle",
]
SWIFT_LICENSE = "Apache-2.0 WITH Swift-exception"


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def needed(file):
    """The libraries that an object says it needs."""
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", file))


def late():
    """The libraries that a plugin links when it is first used: where there are several names, Debian's is the last."""
    found = []
    for source in sorted((ROOT / "Sources/CLateLibraries").glob("*.c")):
        found += [names[-1] for match in re.findall(r"^LATE_LIBRARY\((.*)\)", source.read_text(), re.M)
                  if (names := re.findall(r'"([^"]+)"', match))]
    return found


def debian_package(library):
    """The package of this machine that has the library, with its version and architecture."""
    known = re.search(rf"^\s*{re.escape(library)} .*=> (\S+)$", run("/sbin/ldconfig", "-p"), re.M)
    if not known:
        sys.exit(f"make-sbom: {library} is not installed")
    return owner(known.group(1))


def owner(file):
    """The package of this machine that a file came with."""
    # dpkg knows files by the names that they were installed under, below /lib or /usr/lib.
    for name in (file, os.path.realpath(file), file.removeprefix("/usr"), os.path.realpath("/usr" + file)):
        result = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True)
        if result.returncode == 0:
            return installed(result.stdout.split(": ")[0].split(",")[0])
    sys.exit(f"make-sbom: no package has {file}")


def installed(package):
    name, version, architecture = run("dpkg-query", "-W", "-f", "${Package} ${Version} ${Architecture}\n", package).split()[:3]
    return name, version, f"pkg:deb/debian/{name}@{version.replace(':', '%3A').replace('+', '%2B').replace('~', '%7E')}?arch={architecture}"


class Document:
    def __init__(self):
        self.packages = {}
        self.relationships = []

    def add(self, name, version, license="NOASSERTION", source="NOASSERTION", purl=None):
        """A package, once; its identifier."""
        identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", f"{name}-{version}")
        package = {
            "SPDXID": identifier, "name": name, "versionInfo": version, "downloadLocation": source,
            "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": license,
            "copyrightText": "NOASSERTION",
        }
        if purl:
            package["externalRefs"] = [
                {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]
        self.packages[identifier] = package
        return identifier

    def relate(self, subject, relation, other):
        entry = {"spdxElementId": subject, "relationshipType": relation, "relatedSpdxElement": other}
        if entry not in self.relationships:
            self.relationships.append(entry)

    def json(self, name):
        created = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
        content = {
            "packages": [self.packages[key] for key in sorted(self.packages)],
            "relationships": sorted(self.relationships, key=lambda entry: sorted(entry.items())),
        }
        digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
        return {
            "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
            # One for each content, as the specification wants it; nothing is to be fetched there.
            "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{digest}",
            "creationInfo": {
                "created": f"{created:%Y-%m-%dT%H:%M:%SZ}",
                "creators": ["Organization: The Sonde authors", "Tool: make-sbom.py"],
            },
            **content,
        }


def main(dist, version, machine, output):
    dist = pathlib.Path(dist)
    document = Document()
    sonde = document.add("sonde", version, "Apache-2.0")
    web = document.add("sonde-web", version, "Apache-2.0")
    kit = document.add("sonde-dev", version, "Apache-2.0")
    runtime = document.add("sonde-swift-runtime", version, SWIFT_LICENSE)
    for package in (sonde, web, kit, runtime):
        document.relate("SPDXRef-DOCUMENT", "DESCRIBES", package)
    document.relate(kit, "DEPENDS_ON", sonde)
    document.relate(web, "DEPENDS_ON", sonde)

    compiler = re.search(r"Swift version (\S+)", run("swift", "--version")).group(1)

    def swift(repository, part, license=SWIFT_LICENSE):
        return document.add(
            part, compiler, license, f"git+https://github.com/{repository}@swift-{compiler}-RELEASE",
            f"pkg:swift/github.com/{repository}@{compiler}")

    libraries = swift("swiftlang/swift", "swift-runtime")
    document.relate(runtime, "CONTAINS", libraries)
    dispatch = swift("swiftlang/swift-corelibs-libdispatch", "swift-corelibs-libdispatch")
    document.relate(runtime, "CONTAINS", dispatch)
    pins = {pin["identity"]: pin for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]}
    inside = [
        libraries, dispatch, swift("swiftlang/swift-foundation", "swift-foundation"),
        swift("apple/swift-collections", "swift-foundation-collections"),
        pinned(document, pins["swift-argument-parser"]),
        # The supervisor is linked with all that it needs; the daemon with the compiler's own functions.
        document.add(*with_purl(owner(run("gcc", "-print-file-name=libc.a").strip()))),
        document.add(*with_purl(owner(run("gcc", "-print-libgcc-file-name").strip()))),
    ]
    for part in inside:
        document.relate(sonde, "STATIC_LINK", part)
    for part in inside[:3] + [pinned(document, pins[name]) for name in LINKED_BY_WEB] + inside[-1:]:
        document.relate(web, "STATIC_LINK", part)

    programs = [dist / "bin/sonde", dist / "bin/sonded", dist / "lib/sonde/sonde-supervisor"]
    programs += sorted((dist / "lib/sonde/plugins").glob("*.so"))
    own = {file.name for file in (dist / "lib/sonde/runtime").glob("*.so")}
    for holder, files in ((sonde, programs), (web, [dist / "bin/sonde-web"]), (runtime, sorted((dist / "lib/sonde/runtime").glob("*.so")))):
        for library in sorted({name for file in files for name in needed(file)} - own):
            document.relate(holder, "DYNAMIC_LINK", document.add(*with_purl(debian_package(library))))
    for library in late():
        document.relate(document.add(*with_purl(debian_package(library))), "RUNTIME_DEPENDENCY_OF", sonde)

    text = json.dumps(document.json(f"sonde-{version}-{machine}"), indent=2, sort_keys=True)
    pathlib.Path(output).write_text(text + "\n")


def pinned(document, pin):
    """A package of Swift that is built here."""
    place = pin["location"].removesuffix(".git").removeprefix("https://")
    version = pin["state"]["version"]
    license = SWIFT_LICENSE if pin["identity"] == "swift-argument-parser" else "Apache-2.0"
    return document.add(
        pin["identity"], version, license, f"git+{pin['location']}@{pin['state']['revision']}",
        f"pkg:swift/{place}@{version}")


def with_purl(package):
    name, version, purl = package
    return name, version, "NOASSERTION", "NOASSERTION", purl


if __name__ == "__main__":
    main(*sys.argv[1:])
