"""Code that needs the library of an optional kind of server stays in that kind's folder and tests, since a build
without the library leaves both out: anything else that used it would not link there."""

import re

import includes

DECLARED = re.compile(r"^optional_server\((\w+)(?:[^)]*? WITHOUT ([^)]*))?", re.M)


def optional_kinds(tree):
    """{kind: the headers of its folder that each build has}"""
    found = {}
    for path in tree.paths:
        if path.startswith("src/servers/") and path.endswith("/server.cmake"):
            for name, kept in DECLARED.findall(tree.text(path)):
                found[name] = {source.replace(".cpp", ".hpp") for source in kept.split()}
    return found


def optional_headers_stay_at_home(tree):
    kinds = optional_kinds(tree)
    found = []
    for path, number, target in includes.quoted_includes(tree):
        at = re.fullmatch(r"servers/(\w+)/(\w+\.hpp)", target)
        kind = at and at.group(1)
        if kind not in kinds or at.group(2) in kinds[kind] or path.startswith(f"src/servers/{kind}/"):
            continue
        if not re.fullmatch(rf"tests/\w+/{kind}(_[a-z_]*)?_?test\.cpp", path):
            found.append((path, number, "optional-header", f"a build without {kind} has no {at.group(2)}"))
    return found


RULES = [optional_headers_stay_at_home]
