"""ARCHITECTURE.md's table of components says what includes.py enforces: which folder may include which. Each row's last
cell is compared with MAY_INCLUDE, and a component without a row is missing."""

import re

import includes

PAGE = "ARCHITECTURE.md"
ROW = re.compile(r"^\| `([a-z_/]+)` \| .* \| (.*?) ?\|$")
ANY = "any component"
NOTHING = {"", "nothing"}  # the first component says it, those that need only that one leave it out
NO_COMPONENTS = {"tests", "bench"}


def component(folder):
    return folder.removeprefix("src/")


def cell_of(allowed):
    return ANY if allowed is None else ", ".join(f"`{name}`" for name in sorted(allowed))


def says(cell):
    """The components that a cell of the table allows; None: any."""
    return None if cell == ANY else set() if cell in NOTHING else set(re.findall(r"`([a-z_]+)`", cell))


def table_is_true(tree):
    if PAGE not in tree.paths:
        return []
    rows = {}
    found = []
    for number, line in enumerate(tree.lines(PAGE), 1):
        row = ROW.match(line)
        if not row:
            continue
        name = component(row.group(1))
        rows[name] = number
        if name not in includes.MAY_INCLUDE:
            found.append((PAGE, number, "map", f"'{name}' is no component of includes.py"))
        elif says(row.group(2)) != includes.MAY_INCLUDE[name]:
            found.append((PAGE, number, "map", f"'{name}' may include: {cell_of(includes.MAY_INCLUDE[name])}"))
    there = {includes.stage_of(path) for path in tree.having(".cpp", ".hpp")} & set(includes.MAY_INCLUDE)
    for name in sorted(there - set(rows) - NO_COMPONENTS):
        found.append((PAGE, 1, "map", f"'{name}' has no row in the table of components"))
    return found


RULES = [table_is_true]
