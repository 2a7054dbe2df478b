"""Opens a report in Chromium and checks what was laid out.

  rendered.py CHROMIUM REPORT.html

A copy of the page gets a script that measures it and leaves what it found in
the document, which Chromium prints.
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
  const found = {plots: 0, empty: [], rows: 0, filtered: 0, requests: []};
  // A picture of nothing takes few bytes.
  const drawn = canvas => canvas.width > 100 && canvas.toDataURL().length > 5000;
  for (const figure of document.querySelectorAll('figure')) {
    ++found.plots;
    if (!drawn(figure.querySelector('canvas')))
      found.empty.push(figure.querySelector('figcaption').textContent);
  }
  const shown = () => [...document.querySelectorAll('tbody tr')].filter(row => !row.hidden).length;
  found.rows = shown();
  const filter = document.getElementById('filter');
  filter.value = 'fp32.add';
  filter.dispatchEvent(new Event('input'));
  found.filtered = shown();
  filter.value = '';
  filter.dispatchEvent(new Event('input'));
  found.loaded = performance.timing.domContentLoadedEventEnd - performance.timing.navigationStart;
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
    problems += [f"nothing drawn: {name}" for name in found["empty"]]
    if not problems:
        print(f"plots: {found['plots']}, all drawn")
    print(f"usable after {found['loaded']} ms")
    if not 0 < found["filtered"] < found["rows"]:
        problems.append(f"the filter leaves {found['filtered']} of {found['rows']} rows")
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
