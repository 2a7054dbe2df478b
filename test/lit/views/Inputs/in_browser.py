"""Pages in Chromium that tell what they show.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import os
import re
import subprocess
import tempfile


def shown(chromium, page, use, milliseconds, width=1280):
    """Opens the text `page` with the script `use` at its end for so long.

    Returns what the script left as JSON in <pre id="found">, or None; the lines
    of the page's console; and all that the browser said.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "page.html")
        with open(copy, "w", encoding="utf-8") as file:
            file.write(page.replace("</body>", use + "</body>"))
        run = subprocess.run(
            [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             f"--window-size={width},900", "--user-data-dir=" + os.path.join(folder, "profile"),
             f"--virtual-time-budget={milliseconds}", "--enable-logging=stderr", "--dump-dom",
             "file://" + copy],
            capture_output=True, text=True, timeout=300)
    match = re.search(r'<pre id="found">(.*?)</pre>', run.stdout, re.S)
    found = match and json.loads(
        match.group(1).replace("&amp;", "&").replace("&gt;", ">").replace("&lt;", "<"))
    return found, re.findall(r"CONSOLE.*", run.stderr), run.stderr
