"""Opens the page of `gpu-occupancy diff` in Chromium, uses it, and prints what it shows.

  comparison_works.py CHROMIUM PAGE.html
"""

import json
import os
import re
import subprocess
import sys
import tempfile

USE = """
<script>
window.addEventListener('load', () => setTimeout(() => {
  const all = words => [...document.querySelectorAll(words)];
  const found = {totals: document.getElementById('totals').textContent};
  const look = () => ({rows: all('#list tbody tr').length,
    charts: all('canvas').filter(c => c.width > 100 && c.toDataURL().length > 3000).length,
    findings: all('#list .finding').map(f => f.querySelector('b').textContent)});
  found.changed = look();
  document.getElementById('same').click();
  found.all = look().rows;
  document.documentElement.dataset.theme = 'light';
  document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 't', bubbles: true}));
  found.theme = document.documentElement.dataset.theme;
  found.width = document.documentElement.scrollWidth - window.innerWidth;
  found.requests = performance.getEntriesByType('resource').map(e => e.name);
  const place = document.createElement('pre');
  place.id = 'found';
  place.textContent = JSON.stringify(found);
  document.body.append(place);
}, 200));
</script>
"""


def main():
    chromium, name = sys.argv[1:]
    with open(name, encoding="utf-8") as file:
        page = file.read()
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "page.html")
        with open(copy, "w", encoding="utf-8") as file:
            file.write(page.replace("</body>", USE + "</body>"))
        run = subprocess.run(
            [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--window-size=1280,900", "--user-data-dir=" + os.path.join(folder, "profile"),
             "--virtual-time-budget=5000", "--enable-logging=stderr", "--dump-dom",
             "file://" + copy],
            capture_output=True, text=True, timeout=300)
    match = re.search(r'<pre id="found">(.*?)</pre>', run.stdout, re.S)
    errors = re.findall(r"CONSOLE.*", run.stderr)
    if errors or not match:
        sys.exit("the page does not work:\n" + "\n".join(errors) + run.stderr[-2000:])
    found = json.loads(match.group(1).replace("&amp;", "&").replace("&gt;", ">").replace("&lt;", "<"))
    if found["requests"] or found["width"] > 0:
        sys.exit(f"the page loads {found['requests']}, is {found['width']} pixels too wide")
    for key, value in found.items():
        print(f"{key}: {value}")


if __name__ == "__main__":
    main()
