"""Fails if a dependency's licence is not among those we accept.

An expression is accepted if one alternative of every OR (old form: "/") has all its parts (AND) on the list.
"""

import json
import re
import subprocess
import sys

ACCEPTED = {
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0",
    "ISC", "MIT", "MIT-0", "Unicode-3.0", "Unlicense", "Zlib", "bzip2-1.0.6",
}


def tokens(expression):
    return re.findall(r"\(|\)|[^\s()]+", expression.replace("/", " OR "))


def accepted(expression):
    """Evaluates an SPDX expression: OR binds weaker than AND, WITH belongs to the name before it."""
    rest = tokens(expression)

    def alternatives():
        result = together()
        while rest and rest[0] == "OR":
            rest.pop(0)
            result = together() or result
        return result

    def together():
        result = single()
        while rest and rest[0] == "AND":
            rest.pop(0)
            result = single() and result
        return result

    def single():
        token = rest.pop(0)
        if token == "(":
            result = alternatives()
            rest.pop(0)
            return result
        if rest and rest[0] == "WITH":
            rest.pop(0)
            token = f"{token} WITH {rest.pop(0)}"
        return token in ACCEPTED

    return alternatives()


def check_self():
    for text in ["MIT", "MIT/Apache-2.0", "GPL-3.0 OR MIT", "(MIT OR GPL-3.0) AND Unicode-3.0"]:
        assert accepted(text), text
    for text in ["GPL-3.0", "MIT AND GPL-3.0", "GPL-2.0/GPL-3.0", "(MIT OR ISC) AND LGPL-2.1"]:
        assert not accepted(text), text


def packages_of(manifest):
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--manifest-path", manifest]
    metadata = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(metadata.stdout)["packages"]


def main():
    check_self()
    packages = packages_of("Cargo.toml") + packages_of("python/Cargo.toml")
    packages = list({p["id"]: p for p in packages}.values())
    bad = [p for p in packages if not accepted(p["license"] or "none")]
    for package in bad:
        print(f"{package['name']} {package['version']}: licence {package['license']!r} is not accepted")
    print(f"{len(packages)} packages, {len(bad)} with a licence that is not accepted")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
