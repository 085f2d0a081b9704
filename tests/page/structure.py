#!/usr/bin/env python3
"""Checks a report page without a browser: well-formed XML, unique ids, links that lead somewhere, nothing that loads.

    structure.py report.html     prints what is wrong; exit code 1 when anything is
"""
import sys
import xml.etree.ElementTree as ElementTree

LOADING = {"script", "link", "iframe", "img", "image", "object", "embed", "audio", "video", "form", "base",
           "foreignObject"}


def errors(path):
    try:
        root = ElementTree.parse(path).getroot()
    except (ElementTree.ParseError, UnicodeError) as error:
        return [f"not well-formed: {error}"]
    found, ids, links, policy = [], set(), [], ""
    for element in root.iter():
        name = element.tag.rsplit("}", 1)[-1]
        if name in LOADING:
            found.append(f"<{name}> has no place in the page")
        if element.get("http-equiv") == "Content-Security-Policy":
            policy = element.get("content", "")
        for key, value in element.attrib.items():
            if key.lower().startswith("on") or key == "style":
                found.append(f"attribute {key} of <{name}>")
            if key == "id":
                if value in ids:
                    found.append(f"id {value!r} occurs twice")
                ids.add(value)
            if key.rsplit("}", 1)[-1] in ("href", "src"):
                links.append(value)
            if "url(" in value:
                links.append(value[value.index("(") + 1:value.index(")")])
    for link in links:
        if link.startswith("#"):
            if link[1:] not in ids:
                found.append(f"link to {link!r}, which is nowhere")
        elif not link.startswith("./"):
            found.append(f"link out of the folder: {link!r}")
    if "default-src 'none'" not in policy or "script-src" in policy:
        found.append(f"policy {policy!r} does not forbid scripts and loading")
    return found


if __name__ == "__main__":
    wrong = errors(sys.argv[1])
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)
