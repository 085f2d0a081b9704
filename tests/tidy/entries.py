"""Entry folders hold entries only: one file, one entry, named alike, since the folder is the registry.

cmake/Catalogue.cmake makes the list of entries from the file names alone.
"""

import re

FOLDERS = {"src/lock/algorithms": "lock", "src/driver/kinds": "driver", "src/nemesis/faults": "fault",
           "checker/properties": "property", "reports/formats": "format"}
WITH_TEXTS = {"src/lock/algorithms"}  # NAME.md beside NAME.cpp, which cmake/Catalogue.cmake asks for
WITH_WORDS = {"checker/properties"}  # NAME.hpp beside NAME.cpp, which includes it: artifact/property_words.hpp
# Folders of statements other than sql/: NAME/NAME_lock.NAME, of locks called NAME_...
FORMS = ("redis", "etcd", "postgres", "zookeeper", "s3")
NOT_SQL = tuple(f"{form}_" for form in FORMS)  # their locks need no file in sql/


def inside(tree, folder):
    return [path for path in tree.paths if path.startswith(folder + "/")]


def servers_only(tree):
    """A folder of src/servers is a kind of server, which its file of the same name defines."""
    folder, found = "src/servers", []
    kinds = {path.split("/")[2] for path in inside(tree, folder) if path.count("/") > 2}
    for kind in sorted(kinds):
        path = f"{folder}/{kind}/{kind}.cpp"
        if path not in tree.paths:
            found.append((f"{folder}/{kind}", 1, "entry", f"a kind of server needs {path}"))
        elif not re.search(rf"\bconst\s+ServerType\s+server_{re.escape(kind)}\s*[{{=]", tree.text(path)):
            found.append((path, 1, "entry", f"does not define `const ServerType server_{kind}`"))
    return found


def entries_only(tree):
    found = []
    for folder, singular in FOLDERS.items():
        for path in inside(tree, folder):
            stem = path[len(folder) + 1 :].removesuffix(".cpp")
            wanted = f"{singular}_{stem}"
            if folder in WITH_WORDS and path.endswith(".hpp") and path[:-4] + ".cpp" in tree.paths:
                continue
            if folder in WITH_TEXTS and path.endswith(".md") and path[:-3] + ".cpp" in tree.paths:
                continue
            if not path.endswith(".cpp") or "/" in stem:
                found.append((path, 1, "entry", f"only entries belong in {folder}"))
            elif not re.search(rf"\bconst\s+\w+Type\s+{re.escape(wanted)}\s*[{{=]", tree.text(path)):
                found.append((path, 1, "entry", f"does not define `const {singular.capitalize()}Type {wanted}`"))
    return found


def shares_statements(tree, lock, files):
    """A lock may share another's statements, and says so."""
    shared = re.search(r'\.statements = "(\w+)"', tree.text(f"src/lock/algorithms/{lock}.cpp"))
    return shared is not None and shared.group(1) in files


def sql_beside_lock(tree):
    folder = "src/lock/algorithms"
    locks = {path[len(folder) + 1 : -4] for path in inside(tree, folder) if path.endswith(".cpp")}
    sql = {path[4:].removesuffix(".sql") for path in inside(tree, "sql") if path.endswith(".sql")}
    wanted = {name for name in locks if not name.startswith(NOT_SQL) and not shares_statements(tree, name, sql)}
    code = "\n".join(tree.text(path) for path in tree.having(".cpp", ".hpp") if path.startswith("src/"))
    idle = {name for name in sql - locks if not re.search(rf'"{re.escape(name)}(\.sql)?"', code)}
    found = [(f"{folder}/{name}.cpp", 1, "sql", f"has no sql/{name}.sql") for name in sorted(wanted - sql)]
    return found + [(f"sql/{name}.sql", 1, "sql", "neither a lock nor any code asks for it") for name in sorted(idle)]


def statements_beside_lock(tree):
    folder, found = "src/lock/algorithms", []
    entries = [path for path in inside(tree, folder) if path.endswith(".cpp")]
    for form in FORMS:
        locks = {path[len(folder) + 1 : -4] for path in entries if path.startswith(f"{folder}/{form}_")}
        files = {path[len(form) + 1 :].removesuffix(f".{form}") for path in inside(tree, form) if path.endswith(form)}
        without = [name for name in sorted(locks - files) if not shares_statements(tree, name, files)]
        found += [(f"{folder}/{name}.cpp", 1, form, f"has no {form}/{name}.{form}") for name in without]
        found += [(f"{form}/{name}.{form}", 1, form, "no lock asks for it") for name in sorted(files - locks)]
    return found


RULES = [entries_only, servers_only, sql_beside_lock, statements_beside_lock]
