"""Opens a report in Chromium and checks what was laid out.

  rendered.py CHROMIUM REPORT.html

The report has no scripts. A copy of it gets one that measures the page and
leaves what it found in the document, which Chromium prints.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

MEASURE = """
<script>
window.addEventListener('load', () => {
  const found = {plots: 0, empty: [], outside: [], overlaps: [], requests: []};
  for (const figure of document.querySelectorAll('figure')) {
    ++found.plots;
    const name = figure.querySelector('figcaption').textContent;
    const svg = figure.querySelector('svg');
    const frame = svg.getBoundingClientRect();
    const lines = figure.querySelectorAll('polyline');
    if (!lines.length || frame.width < 100 || frame.height < 100)
      found.empty.push(name);
    for (const each of svg.querySelectorAll('polyline, circle, text')) {
      const box = each.getBoundingClientRect();
      if (box.left < frame.left - 1 || box.right > frame.right + 1 ||
          box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
        found.outside.push(name + ': ' + (each.textContent || each.tagName));
    }
  }
  found.width = document.documentElement.scrollWidth;
  found.window = window.innerWidth;
  found.requests = performance.getEntriesByType('resource').map(e => e.name);
  found.headings = document.querySelectorAll('h2').length;
  const place = document.createElement('pre');
  place.id = 'found';
  place.textContent = JSON.stringify(found);
  document.body.append(place);
});
</script>
"""


def main():
    chromium, report = sys.argv[1:]
    with open(report, encoding="utf-8") as file:
        page = file.read()
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "page.html")
        with open(copy, "w", encoding="utf-8") as file:
            file.write(page.replace("</body>", MEASURE + "</body>"))
        run = subprocess.run(
            [chromium, "--headless", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--window-size=1280,900",
             "--user-data-dir=" + os.path.join(folder, "profile"),
             "--virtual-time-budget=10000", "--dump-dom", "file://" + copy],
            capture_output=True, text=True, timeout=120)
    match = re.search(r'<pre id="found">(.*?)</pre>', run.stdout, re.S)
    if not match:
        sys.exit("the page did not load:\n" + run.stderr[-2000:])
    found = json.loads(match.group(1).replace("&amp;", "&").replace("&gt;", ">"))
    problems = []
    if found["plots"] < 10:
        problems.append(f"only {found['plots']} plots")
    problems += [f"no lines: {name}" for name in found["empty"]]
    problems += [f"outside its frame: {name}" for name in found["outside"]]
    if not problems:
        print(f"plots: {found['plots']}, all with lines inside")
    if found["width"] > found["window"]:
        problems.append(f"{found['width']} wide in {found['window']}")
    else:
        print("page fits its window")
    errors = re.findall(r"CONSOLE.*", run.stderr)
    if found["requests"] or errors:
        problems += found["requests"] + errors
    else:
        print("no requests, no errors")
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
