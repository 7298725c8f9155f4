#!/usr/bin/env python3
"""make-man-pages.py SONDE OUTPUT: writes sonde.1, sonded.8 and sonde.yaml.5 into the folder OUTPUT.

What they say comes from the help of the program SONDE and from config/sonde.yaml, so that a page cannot fall behind.
"""

import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent


def escaped(text):
    return text.replace("\\", "\\e").replace("-", "\\-")


def prose(text):
    """Text as mdoc wants it: each sentence on lines of its own, short ones, none that reads as a request."""
    lines = []
    for sentence in re.split(r"(?<=[.!?])\s+", " ".join(text.split())):
        lines += textwrap.wrap(escaped(sentence), 72, break_long_words=False, break_on_hyphens=False)
    return ["\\&" + line if line[:1] in ".'" else line for line in lines]


def literal(lines):
    body = ["\\&" + escaped(line) if line[:1] in ".'" else escaped(line) for line in lines]
    return [".Bd -literal -offset indent", *body, ".Ed"]


def paragraphs(text):
    """A discussion: blocks between empty lines; what stands indented is shown as it is."""
    result = []
    for block in re.split(r"\n\s*\n", text.strip()):
        plain, shown = [], []
        for line in block.splitlines():
            (shown if line.startswith("  ") else plain).append(line)
        if result:
            result.append(".Pp")
        result += prose(" ".join(plain))
        if shown:
            result += literal([line[2:] for line in shown])
    return result


def spelled(names):
    return [("-" if name["kind"] == "short" else "--") + name["name"] for name in names]


def synopsis(words, arguments):
    parts = []
    for argument in arguments:
        value = argument.get("valueName", "value")
        if argument["kind"] == "positional":
            part = value + (" ..." if argument["isRepeating"] else "")
        elif argument["kind"] == "option":
            part = f"{spelled([argument['preferredName']])[0]} {value}"
        else:
            part = spelled([argument["preferredName"]])[0]
        parts.append(f"[{part}]" if argument["isOptional"] else part)
    return textwrap.wrap(
        escaped(" ".join(words + parts)), 72, break_long_words=False, break_on_hyphens=False, subsequent_indent="    ")


def option(argument):
    if argument["kind"] == "positional":
        head = argument["valueName"]
    else:
        head = ", ".join(spelled(argument["names"]))
        if argument["kind"] == "option":
            head += f" {argument['valueName']}"
    text = argument.get("abstract", "")
    if argument.get("allValues"):
        text += f" One of: {', '.join(argument['allValues'])}."
    if argument.get("defaultValue"):
        text += f" Default: {argument['defaultValue']}."
    return [f'.It "{escaped(head)}"', *prose(text)]


def options(arguments):
    shown = [argument for argument in arguments if argument["shouldDisplay"]]
    # Every command has it: it is said once.
    shown = [argument for argument in shown if argument.get("valueName") != "help"]
    if not shown:
        return []
    return [".Bl -tag -width Ds", *(line for argument in shown for line in option(argument)), ".El"]


def command(node, words):
    """A command and those below it, each a subsection."""
    words = words + [node["commandName"]]
    own = [argument for argument in node.get("arguments", []) if argument.get("valueName") != "help"]
    below = [child for child in node.get("subcommands", []) if child["commandName"] != "help"]
    lines = []
    if not below:
        lines += [f'.Ss "{escaped(" ".join(words))}"', *prose(node.get("abstract", "")), ".Bd -literal", *synopsis(words, own), ".Ed", ".Pp"]
        lines += paragraphs(node.get("discussion", "")) + options(own)
    else:
        lines += [f'.Ss "{escaped(" ".join(words))} command"', *prose(node.get("abstract", ""))]
        lines += [".Pp", *paragraphs(node["discussion"])] if node.get("discussion") else []
    for child in below:
        lines += command(child, words)
    return lines


def page(name, section, summary, date, body):
    head = [
        '.\\" Made by packaging/make-man-pages.py.', f".Dd {date}", f".Dt {name.upper()} {section}", ".Os",
        ".Sh NAME", f".Nm {name}", f".Nd {summary}",
    ]
    return "\n".join(head + body) + "\n"


def without_end(sentence):
    sentence = sentence.rstrip(".")
    return sentence[:1].lower() + sentence[1:]


FILES = [
    ".Sh FILES", ".Bl -tag -width Ds",
    ".It Pa /etc/sonde/sonde.yaml", "The configuration of the service.",
    ".It Pa /var/lib/sonde", "What the service keeps over a restart.",
    ".It Pa /run/sonde/sonde.sock", "Where a running agent answers.",
    ".It Pa /usr/share/doc/sonde", "The manual, with a page for each code of an error.",
    ".El",
]


def program_page(root, date):
    body = [
        ".Sh SYNOPSIS", ".Nm", ".Ar command", ".Op Ar option ...", ".Nm", ".Ar command", ".Fl \\-help",
        ".Sh DESCRIPTION", *prose(root["abstract"]), ".Pp", *paragraphs(root["discussion"]), ".Pp",
        *prose("Each command shows its help with --help or -h."),
    ]
    body += options([argument for argument in root["arguments"]])
    body += [".Sh COMMANDS"]
    for child in root["subcommands"]:
        if child["commandName"] != "help":
            body += command(child, [root["commandName"]])
    body += FILES + [".Sh SEE ALSO", ".Xr sonde.yaml 5 ,", ".Xr sonded 8"]
    return page("sonde", 1, without_end(root["abstract"]), date, body)


def daemon_page(usage, date):
    commands = re.search(r"is one of (.*?)\.\n", usage).group(1)
    body = [
        ".Sh SYNOPSIS", ".Nm", ".Ar command", ".Op Ar operand", ".Op Ar option ...",
        ".Sh DESCRIPTION",
        *prose(
            "This is the program that collects, keeps and sends metrics. It is started as 'sonde run', which checks "
            "its words and becomes this program with the same process id; a service may start it itself, "
            "with GLIBC_TUNABLES=glibc.malloc.tcache_max=256 as 'sonde run' sets it. Its commands and options are "
            "those of sonde."),
        ".Pp", *prose(f"The commands are {commands}."),
        ".Pp", *prose(
            "As a service of systemd it says when it is ready, what it does and that it is alive. SIGHUP makes it "
            "read its configuration again; SIGTERM makes it collect once more, send what waits and end."),
        *FILES, ".Sh SEE ALSO", ".Xr sonde 1 ,", ".Xr sonde.yaml 5",
    ]
    return page("sonded", 8, "agent for network metrics", date, body)


def configuration_page(text, date):
    body = [
        ".Sh DESCRIPTION",
        *prose(
            "The agent reads one file in YAML, and the files conf.d/*.yaml beside it. 'sonde check -c FILE' names every "
            "mistake, 'sonde config show -c FILE' shows what holds in the end, and 'sonde plugins describe NAME' the "
            "options of a plugin. /usr/share/doc/sonde/docs/configuration.md explains values and references."),
        ".Pp", "Every key that works, with its default:",
        *literal(text.splitlines()),
        ".Sh FILES", ".Bl -tag -width Ds", ".It Pa /etc/sonde/sonde.yaml", "The configuration of the service.", ".El",
        ".Sh SEE ALSO", ".Xr sonde 1 ,", ".Xr sonded 8",
    ]
    return page("sonde.yaml", 5, "configuration of the Sonde agent", date, body)


def main(program, output):
    moment = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    date = f"{moment:%B} {moment.day}, {moment.year}"
    folder = pathlib.Path(output)
    folder.mkdir(parents=True, exist_ok=True)

    help_text = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    (folder / "sonde.1").write_text(program_page(json.loads(help_text)["command"], date))
    # Without a command the daemon says what there is.
    daemon = pathlib.Path(program).with_name("sonded")
    usage = subprocess.run([daemon], capture_output=True, text=True).stderr
    (folder / "sonded.8").write_text(daemon_page(usage, date))
    reference = (ROOT / "config/sonde.yaml").read_text()
    (folder / "sonde.yaml.5").write_text(configuration_page(reference, date))


if __name__ == "__main__":
    main(*sys.argv[1:])
