"""Opens the HTML page of a report in Chromium, uses it, and prints what it shows.

  page_works.py CHROMIUM PAGE.html [COPIES [WIDTH]]

A script that is added to a copy of the page clicks and types, looks at what is
there, and leaves that in the document. With COPIES, each kernel is there so
many times, and the time until the page is usable is checked. WIDTH is that of
the window in pixels.
"""

import json
import sys

from in_browser import shown

# A second where nothing else runs; tests run beside others, which may delay a
# browser or its first page once.
MOST_MS = 5000
ATTEMPTS = 3

USE = """
<script>
window.addEventListener('load', () => setTimeout(() => {
  const all = words => [...document.querySelectorAll(words)];
  const key = name => document.body.dispatchEvent(
    new KeyboardEvent('keydown', {key: name, bubbles: true}));
  const found = {loaded: performance.timing.domContentLoadedEventEnd
    - performance.timing.navigationStart};
  // A picture of nothing takes few bytes.
  const drawn = canvas => canvas.width > 100 && canvas.toDataURL().length > 5000;
  const look = () => ({title: document.querySelector('#kernel h2').textContent,
    charts: all('#kernel canvas').filter(drawn).length,
    lines: all('#kernel .line').length, findings: all('#kernel .finding').length,
    drawings: all('#kernel svg.lanes').length,
    answer: document.querySelector('.whatif + p').textContent});
  found.rows = all('#list tbody tr').length;
  found.best = all('#list tbody td:last-child').map(cell => cell.innerText.replace(/\\s+/g, ' '));
  found.nameShare = Math.round(100 * document.querySelector('#list td').offsetWidth
    / window.innerWidth);
  found.place = document.querySelector('#list tbody td .quiet').textContent;
  found.first = look();
  document.documentElement.dataset.theme = 'light';
  key('t');
  found.theme = document.documentElement.dataset.theme;
  key('j');
  key('Enter');
  setTimeout(() => {
    found.second = look();
    const slider = document.querySelector('.whatif input');
    slider.value = slider.max;
    slider.dispatchEvent(new Event('input', {bubbles: true}));
    found.widest = look().answer;
    const filter = document.getElementById('filter');
    filter.value = 'NoBank';
    filter.dispatchEvent(new Event('input'));
    found.filtered = all('#list tbody tr').length;
    filter.value = 'uncoalesced';
    filter.dispatchEvent(new Event('input'));
    found.withFinding = all('#list tbody tr').length;
    found.images = all('img').length;
    found.width = document.documentElement.scrollWidth - window.innerWidth;
    found.requests = performance.getEntriesByType('resource').map(e => e.name);
    const place = document.createElement('pre');
    place.id = 'found';
    place.textContent = JSON.stringify(found);
    document.body.append(place);
  }, 500);
}, 500));
</script>
"""


def without_time(page):
    """The first kernel that is listed has no time: nobody knows its grid."""
    mark = '<script type="application/json" id="report">'
    begin = page.index(mark) + len(mark)
    end = page.index("</script>", begin)
    data = json.loads(page[begin:end])
    data["kernels"][0].update(predicted_time_ns=None, latency_cycles=1e12)
    return page[:begin] + json.dumps(data).replace("<", "\\u003c") + page[end:]


def with_copies(page, copies):
    """Each kernel so many times in both data elements."""
    for name in ("report", "page"):
        mark = f'<script type="application/json" id="{name}">'
        begin = page.index(mark) + len(mark)
        end = page.index("</script>", begin)
        data = json.loads(page[begin:end])
        kernels = data["kernels"]
        # On the page copies of one name are launches of one kernel.
        data["kernels"] = [{**kernel, **({"base": f"{kernel['base']}{n}"} if "base" in kernel else {})}
                           for n in range(copies) for kernel in kernels]
        page = page[:begin] + json.dumps(data).replace("<", "\\\\u003c") + page[end:]
    return page


def used(chromium, page, width):
    """What the page shows; nothing where the browser gave up."""
    found, errors, said = shown(chromium, page, USE, 10000, width)
    if errors:
        sys.exit("the page does not work:\n" + "\n".join(errors))
    if not found:
        sys.stderr.write(said[-2000:])
    return found


def main():
    chromium, name = sys.argv[1:3]
    with open(name, encoding="utf-8") as file:
        page = file.read()
    copies = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    width = int(sys.argv[4]) if len(sys.argv) > 4 else 1280
    if "--without-time" in sys.argv:
        page = without_time(page)
    shown = with_copies(page, copies) if copies > 1 else page
    found = None
    for _ in range(ATTEMPTS):
        found = used(chromium, shown, width)
        if found and (copies == 1 or found["loaded"] < MOST_MS):
            break
    if not found:
        sys.exit(f"the browser showed no page in {ATTEMPTS} attempts")
    if found["requests"] or found["images"]:
        sys.exit(f"the page loads {found['requests']}, has {found['images']} images")
    if found["width"] > 0:
        sys.exit(f"the page is {found['width']} pixels wider than its window")
    if copies > 1:
        print(f"{found['rows']} kernels",
              "open at once" if found["loaded"] < MOST_MS else f"take {found['loaded']} ms")
        return
    for key, value in found.items():
        print(f"{key}: {value}")


if __name__ == "__main__":
    main()
