"""Lists all texts that the program prints, for an editor: a line each of file, line and text, separated by tabs.

    tests/tidy/list_messages.py .                 every text
    tests/tidy/list_messages.py . --since OLDER   a fourth column: the text that it replaced in the tree OLDER;
                                                  only texts that changed

Texts are the string literals of the product that hold a blank. Texts of a file are paired in their order.
"""

import argparse
import difflib

import cpp_text
import words
from tidy import Tree


def texts(tree, path):
    if path not in tree.paths:
        return []
    return [(number, text) for number, text in cpp_text.literals(tree.text(path)) if " " in text]


def replaced(before, now):
    """(line, text, the text before) of each text that changed; "" if it is new."""
    matcher = difflib.SequenceMatcher(None, [text for _, text in before], [text for _, text in now], autojunk=False)
    for kind, first, last, begin, end in matcher.get_opcodes():
        if kind in ("replace", "insert"):
            for at, (number, text) in enumerate(now[begin:end]):
                yield number, text, before[first + at][1] if first + at < last else ""


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("tree")
    options.add_argument("--since")
    options = options.parse_args()
    tree, older = Tree(options.tree), Tree(options.since) if options.since else None
    for path in tree.having(".cpp", ".hpp"):
        if path.startswith(words.PRODUCT):
            rows = texts(tree, path)
            for row in replaced(texts(older, path), rows) if older else rows:
                print(path, *(str(field).replace("\t", "\\t") for field in row), sep="\t")


if __name__ == "__main__":
    main()
