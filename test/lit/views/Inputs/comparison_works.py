"""Opens the page of `gpu-occupancy diff` in Chromium, uses it, and prints what it shows.

  comparison_works.py CHROMIUM PAGE.html
"""

import sys

from in_browser import shown

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
    found, errors, said = shown(chromium, page, USE, 5000)
    if errors or not found:
        sys.exit("the page does not work:\n" + "\n".join(errors) + said[-2000:])
    if found["requests"] or found["width"] > 0:
        sys.exit(f"the page loads {found['requests']}, is {found['width']} pixels too wide")
    for key, value in found.items():
        print(f"{key}: {value}")


if __name__ == "__main__":
    main()
