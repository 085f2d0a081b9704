#!/usr/bin/env python3
"""Checks a report page without a browser: well-formed XML, unique ids, links that lead somewhere, nothing that loads,
no script or style but the page's own, which its policy names by their sums.

    structure.py report.html     prints what is wrong; exit code 1 when anything is
"""
import base64
import hashlib
import re
import sys
import xml.etree.ElementTree as ElementTree

LOADING = {"link", "iframe", "img", "image", "object", "embed", "audio", "video", "form", "base",
           "foreignObject"}


def strangers(path, policy):
    """Scripts and styles that the policy does not know, and data blocks with anything but base64."""
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        page = file.read()
    found = []
    for name, attributes, body in re.findall(r"<(script|style)\b([^>]*)>(.*?)</\1>", page, re.S):
        if 'type="text/plain"' in attributes:
            if not re.fullmatch(r"[A-Za-z0-9+/]*=*", body):
                found.append(f"data that is not base64: {body[:40]!r}")
            continue
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        if f"{name}-src 'sha256-{digest}'" not in policy:
            found.append(f"a <{name}> that the policy does not know: {body[:40]!r}")
    return found


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
    if "default-src 'none'" not in policy or "unsafe" in policy or "*" in policy or ":" in policy:
        found.append(f"policy {policy!r} does not forbid loading, or lets foreign scripts or styles in")
    found += strangers(path, policy)
    return found


if __name__ == "__main__":
    wrong = errors(sys.argv[1])
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)
