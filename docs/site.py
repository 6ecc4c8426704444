#!/usr/bin/env python3
"""Copies all pages, and the files that they link to, to target/site-pages, and has mkdocs build target/site from them.

Pages link to each other across the repository, which mkdocs allows in one directory only."""
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = os.path.join(ROOT, "target", "site-pages")
FENCE, ITEM = re.compile(r" *```"), re.compile(r" *(?:[-*]|\d+\.) ")
LINK = re.compile(r'(?:\]\(|src="|href=")(?!https?:|mailto:|#)([^)\s"#]+)')


def for_mkdocs(text):
    """Puts a blank line before each list and indents nested blocks by four, which mkdocs needs and GitHub does not."""
    lines, fenced, in_list, shift = [], False, False, 0
    for line in text.split("\n"):
        item = not fenced and ITEM.match(line)
        if item and not in_list and lines and lines[-1].strip():
            lines.append("")
        in_list = bool(item) or (in_list and (fenced or not line.strip() or line.startswith(" ")))
        if in_list and not fenced:
            indent = len(line) - len(line.lstrip(" "))
            shift = 4 * (indent // 2) - indent
        lines.append(" " * shift + line if in_list and line.strip() else line)
        fenced ^= bool(FENCE.match(line))
    return "\n".join(lines)


def main():
    shutil.rmtree(PAGES, ignore_errors=True)
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    pages = {it for it in tracked if it.endswith(".md") and not it.startswith(".")}
    wanted = set(pages)
    for page in pages:
        with open(os.path.join(ROOT, page), encoding="utf-8") as text:
            for link in LINK.findall(text.read()):
                wanted.add(os.path.normpath(os.path.join(os.path.dirname(page), link)))
    for path in wanted:
        source, target = os.path.join(ROOT, path), os.path.join(PAGES, path)
        if os.path.isfile(source):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(source, target)
        if path in pages:
            with open(source, encoding="utf-8") as text, open(target, "w", encoding="utf-8") as page:
                page.write(for_mkdocs(text.read()))
    return subprocess.run(["mkdocs", "build", "--strict", "--quiet"], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
