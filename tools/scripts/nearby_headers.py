"""Which folders of a tree of sources hold the headers that a source includes.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Build systems say it in as many ways as there are build systems. Here the
names of the headers say it: a header that is found neither beside the file
that includes it nor by the compiler is looked for in the whole tree, and the
nearest one is taken.
"""

import os
import re
from pathlib import Path

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">\n]+)[">]', re.MULTILINE)


def included_names(text):
    """The names in the `#include` lines of a source, in their order."""
    return list(dict.fromkeys(INCLUDE.findall(text)))


def read_text(path):
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


class HeaderIndex:
    """The files of a tree by their base names."""

    def __init__(self, paths):
        self.by_name = {}
        for path in sorted(paths):
            self.by_name.setdefault(os.path.basename(path), []).append(path)

    @classmethod
    def of_tree(cls, root):
        return cls(os.path.join(folder, name)
                   for folder, _, names in os.walk(root) for name in names)

    def nearest(self, name, source):
        """The file that `name` names and that shares most folders with
        `source`; None where there is none."""
        tail = os.sep + os.path.normpath(name).lstrip("./")
        found = [path for path in self.by_name.get(os.path.basename(name), [])
                 if path.endswith(tail)]

        def shared(path):
            return len(os.path.commonpath([path, source]).split(os.sep))
        return max(found, key=lambda path: (shared(path), -path.count(os.sep)), default=None)


def include_folders(source, index, system_folders=(), read=read_text, exists=os.path.exists):
    """Folders for `-I`, in the order in which the source needs them."""
    folders, waiting, seen = [], [str(source)], {str(source)}
    while waiting:
        includer = waiting.pop(0)
        beside = os.path.dirname(includer)
        for name in included_names(read(includer)):
            known = [os.path.join(folder, name) for folder in (beside, *folders)]
            path = next((p for p in known if exists(p)), None)
            if path is None:
                if any(exists(os.path.join(folder, name)) for folder in system_folders):
                    continue
                path = index.nearest(name, str(source))
                if path is None:
                    continue
                folders.append(path[:-len(os.path.normpath(name).lstrip("./"))].rstrip(os.sep))
            path = os.path.normpath(path)
            if path not in seen:
                seen.add(path)
                waiting.append(path)
    return folders
