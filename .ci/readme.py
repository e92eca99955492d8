"""Runs every command of the README's sh blocks, in order, in one temporary folder.

`cargo run --release --` becomes the program itself, built from this checkout. `cargo test` is left out: it has just
run. Commands that need a Python module which is not here are skipped with a message.
"""

import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def commands(text):
    for block in re.findall(r"^```sh\n(.*?)^```", text, flags=re.M | re.S):
        for line in block.splitlines():
            if line.strip() and not line.lstrip().startswith("#"):
                yield line.strip()


def program():
    """Builds the program and returns its path."""
    build = subprocess.run(
        ["cargo", "build", "--release", "--workspace", "--message-format", "json-render-diagnostics"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )
    found = re.findall(r'"executable":"([^"]*/warpgraph(?:\.exe)?)"', build.stdout)
    return found[-1]


def missing_module(words):
    """The first Python module that a `python3 -c` command imports and that is not here."""
    for module in re.findall(r"import (\w+)", " ".join(words)):
        if subprocess.run(["python3", "-c", f"import {module}"], capture_output=True).returncode != 0:
            return module
    return None


def run(line, binary, folder):
    words = shlex.split(line)
    if words[:2] == ["cargo", "test"]:
        return "left out: the tests have just run"
    if words[:4] == ["cargo", "run", "--release", "--"]:
        words[:4] = [binary]
    elif words[0] == "python3":
        module = missing_module(words)
        if module:
            return f"skipped: Python has no {module} here"
    else:
        return None
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        print(done.stdout + done.stderr)
        return None
    return "ok"


def main():
    binary = program()
    lines = list(commands((ROOT / "README.md").read_text()))
    assert lines, "the README has no commands"
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for line in lines:
            outcome = run(line, binary, folder)
            print(f"{line}\n    {outcome or 'FAILED'}")
            failed += outcome is None
    print(f"{len(lines)} commands, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
