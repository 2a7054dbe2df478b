#!/usr/bin/env python3
"""Holds the page of a report to what people need to read it.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: page_looks.py GPU_OCCUPANCY SOURCE_DIR FOLDER

Opens pages of an example and of 500 kernels in Chromium, light, dark and on a
phone. axe-core, which npm brings into FOLDER, finds nothing; on the phone no word is
broken and nothing is wider than the screen; a dark page prints light; 500 kernels
have at most 3 MB and open in a second, and 500 instances of one kernel have one row. No line ends behind the
hyphens of an option, and paper has no panel whose sliders are gone. With GPUOCC_PICTURES
(a folder) a picture of each is left there, and page.txt, the list that
transpose-light.png shows: docs/pictures/page.png and page.txt are copies of them, and
numbers of today that differ by more than 2 % are a fault.

Exit status: 0; 1 if one does not hold; 77 without Chromium or axe-core.
"""

import base64
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "lsp"))
from browser import Browser, find_chromium  # pylint: disable=wrong-import-position

AXE = "axe-core@4.14.1"
MOST_BYTES = 3_000_000
MOST_SECONDS = 1
KERNELS = 500
READY = "document.readyState === 'complete' && !!document.querySelector('#kernel h2')"
VIOLATIONS = """axe.run().then(found => found.violations.map(v => v.id + ': ' + v.nodes.map(
  n => n.html.slice(0, 100)).slice(0, 3).join(' | ')))"""
# Words that stand on two lines, but where <wbr> or a hyphen lets them be.
BROKEN = """(() => {
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    if (node.parentElement.closest('script, option, svg, pre')) continue;
    for (const word of node.data.matchAll(/[^\\s/.,:(<-]+/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(r => Math.round(r.top))).size > 1)
        found.push(word[0]);
    }
  }
  return found;
})()"""
# Options whose hyphens are the end of a line.
PARTED = """(() => {
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    if (node.parentElement.closest('script, option, svg, pre')) continue;
    for (const word of node.data.matchAll(/--[a-z]/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(r => Math.round(r.top))).size > 1)
        found.push(node.data.slice(word.index));
    }
  }
  return found;
})()"""
# What paper shows of a page of several kernels.
PAPER = """(() => {
  const isShown = chosen => [...document.querySelectorAll(chosen)].some(e => e.getClientRects().length);
  const parted = [...document.querySelectorAll('.wait')].filter(e => e.textContent
    && e.getBoundingClientRect().height > 30);
  return {panel: isShown('.panel'), inputs: isShown('input, select, button'), which: isShown('.paper'),
    parted: parted.map(e => e.textContent)};
})()"""
A4_AT_96_DPI = (794 - 2 * 38, 1123)
LIST = """[...document.querySelectorAll('#list tr')].map(row => [...row.cells].map(
  cell => cell.innerText.replace(/\\s+/g, ' ')).join(' | ')).join('\\n') + '\\n'"""
# Numbers of a picture and of today.
SAME = 0.02
SIZES = {"light": (1280, 900), "dark": (1280, 900), "phone": (390, 844)}


def axe_core(folder):
    """The script of axe-core; None where npm does not bring it."""
    script = folder / "package/axe.min.js"
    if not script.exists() and shutil.which("npm"):
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "pack", "--silent", AXE], cwd=folder, check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for package in folder.glob("axe-core-*.tgz"):
            shutil.unpack_archive(package, folder)
            package.unlink()
    return script.read_text(encoding="utf-8") if script.exists() else None


def page_of(tool, source, out, *options):
    subprocess.run([tool, "analyze", str(source), "--code=clang", "--ptxas=off", "--format=html",
                    "-o", str(out), *options], check=True, stdout=subprocess.DEVNULL)
    return out


def body(number):
    return (f"  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  float sum = 0;\n"
            f"  for (int k = 0; k < {number}; ++k) sum += in[i * {number} + k];\n"
            f"  if (i < n) out[i] = sum;\n}}\n")


def kernels_source(path):
    """500 kernels; each reads and launches something else, so that no numbers are alike."""
    launches = "".join(f"  kernel{n}<<<{1024 + 8 * n}, 256>>>(out, in, 1 << 20);\n"
                       for n in range(KERNELS))
    path.write_text("".join(f"__global__ void kernel{n}(float *out, const float *in, int n) {{\n"
                            + body(n % 50 + 1) for n in range(KERNELS))
                    + f"void all(float *out, float *in) {{\n{launches}}}\n", encoding="utf-8")
    return path


def instances_source(path):
    launches = "".join(f"  sum<{n}><<<4096, 256>>>(out, in, 1 << 20);\n" for n in range(1, 9))
    path.write_text("template <int N> __global__ void sum(float *out, const float *in, int n) {\n"
                    + body("N") + f"void all(float *out, float *in) {{\n{launches}}}\n",
                    encoding="utf-8")
    return path


def sweep_source(path):
    path.write_text("__global__ void scale(float *out, const float *in, int n) {\n"
                    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                    "  if (i < n)\n    out[i] = 2 * in[i];\n}\n", encoding="utf-8")
    return path


def alike(one, other):
    """Whether two words are equal, or numbers that are nearly so."""
    try:
        a, b = float(one.removesuffix("x")), float(other.removesuffix("x"))
    except ValueError:
        return one == other
    return abs(a - b) <= SAME * max(abs(a), abs(b))


class Looks:
    """Pages in one browser, and what is wrong with them."""

    def __init__(self, folder, axe):
        self.browser = Browser(find_chromium(), folder)
        self.axe = axe
        self.wrong = []

    def check(self, holds, words):
        if not holds:
            self.wrong.append(words)

    def open(self, page, mode):
        width, height = SIZES[mode]
        self.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                          deviceScaleFactor=1, mobile=False)
        self.browser.open("about:blank")
        self.browser.open(page.resolve().as_uri())
        self.check(self.browser.wait(READY, 30), f"{page.name} shows no kernel")
        theme = "dark" if mode == "dark" else "light"
        self.browser.value(f"document.documentElement.dataset.theme === '{theme}'"
                           " || document.getElementById('theme').click()")

    def opening_seconds(self, page):
        """What opening the page takes of the main thread, with its scripts and its layout."""
        self.browser.open("about:blank")
        self.browser.call("Performance.enable", timeDomain="threadTicks")
        self.open(page, "light")
        metrics = self.browser.call("Performance.getMetrics")["metrics"]
        return next(m["value"] for m in metrics if m["name"] == "TaskDuration")

    def looked_at(self, page, mode):
        self.open(page, mode)
        name = f"{page.stem}, {mode}"
        self.browser.value(self.axe + "; true")
        found = self.browser.call("Runtime.evaluate", expression=VIOLATIONS, awaitPromise=True,
                                  returnByValue=True)["result"].get("value")
        self.check(found == [], f"{name}: axe finds {found}")
        wider = self.browser.value("document.documentElement.scrollWidth - innerWidth")
        self.check(wider is not None and wider <= 0, f"{name}: {wider} pixels wider than the screen")
        broken = self.browser.value(BROKEN)
        self.check(broken == [], f"{name}: broken words {broken}")
        parted = self.browser.value(PARTED)
        self.check(parted == [], f"{name}: lines end behind the hyphens of {parted}")
        if pictures := os.environ.get("GPUOCC_PICTURES"):
            self.browser.picture(os.path.join(pictures, f"{page.stem}-{mode}.png"))

    def pictured(self, page, shown):
        """The list of the page is that of the picture, which SHOWN holds as text."""
        self.open(page, "light")
        now = self.browser.value(LIST)
        if pictures := os.environ.get("GPUOCC_PICTURES"):
            Path(pictures, "page.txt").write_text(now, encoding="utf-8")
        words, pictured = now.split(), shown.read_text(encoding="utf-8").split()
        self.check(len(words) == len(pictured) and all(map(alike, words, pictured)),
                   f"docs/pictures/page.png is not today's, which is\n{now}"
                   "GPUOCC_PICTURES=FOLDER makes it anew: transpose-light.png, page.txt")

    def printed(self, page):
        """A dark page, between what a browser says before and behind printing."""
        self.open(page, "dark")
        theme = "document.documentElement.dataset.theme"
        self.browser.value("dispatchEvent(new Event('beforeprint'))")
        self.check(self.browser.value(theme) == "light", f"{page.stem}: prints dark charts")
        width, height = A4_AT_96_DPI
        self.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                          deviceScaleFactor=1, mobile=False)
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        found = self.browser.value(PAPER)
        self.check(found == {"panel": False, "inputs": False, "which": True, "parted": []},
                   f"{page.stem}: paper has {found}")
        self.browser.call("Emulation.setEmulatedMedia", media="")
        self.browser.value("dispatchEvent(new Event('afterprint'))")
        self.check(self.browser.value(theme) == "dark", f"{page.stem}: is light once printed")
        pdf = base64.b64decode(self.browser.call("Page.printToPDF")["data"])
        if pictures := os.environ.get("GPUOCC_PICTURES"):
            Path(pictures, f"{page.stem}.pdf").write_bytes(pdf)

    def rows(self, page, filtered=""):
        self.open(page, "light")
        self.browser.value(f"document.getElementById('filter').value = '{filtered}';"
                           "document.getElementById('filter').dispatchEvent(new Event('input'))")
        return self.browser.value("document.querySelectorAll('#list tbody tr').length")


def main():
    tool, root, axe_folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    axe = axe_core(axe_folder)
    if not find_chromium() or not axe:
        print("skipped: needs Chromium (Debian package chromium) and npm with its registry")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        example = page_of(tool, root / "docs/examples/transpose.cu", folder / "transpose.html",
                          "--advise")
        alone = shutil.copytree(root / "docs/examples", folder / "alone",
                                ignore=shutil.ignore_patterns(".gpu-occupancy", "mlir"))
        untimed = page_of(tool, alone / "smith_waterman.cu", folder / "untimed.html")
        many = page_of(tool, kernels_source(folder / "many.cu"), folder / "many.html")
        instances = page_of(tool, instances_source(folder / "instances.cu"),
                            folder / "instances.html")
        sweep = page_of(tool, sweep_source(folder / "sweep.cu"), folder / "sweep.html")
        looks = Looks(name, axe)
        try:
            for page in (example, untimed, instances, sweep):
                for mode in SIZES:
                    looks.looked_at(page, mode)
            looks.printed(example)
            looks.pictured(example, root / "docs/pictures/page.txt")
            charts = "[...document.querySelectorAll('figcaption')].map(c => c.textContent)"
            for page, expected in ((sweep, ["Time per element over sizes"]), (untimed, [])):
                looks.open(page, "light")
                found = looks.browser.value(charts)
                looks.check(found == expected, f"{page.stem} has the charts {found}")
            size = many.stat().st_size
            looks.check(size <= MOST_BYTES, f"{KERNELS} kernels have {size} bytes")
            seconds = looks.opening_seconds(many)
            looks.check(seconds <= MOST_SECONDS, f"{KERNELS} kernels open in {seconds:.2f} s")
            rows = looks.rows(many)
            looks.check(rows == KERNELS, f"{rows} rows of {KERNELS} kernels")
            rows = looks.rows(instances)
            looks.check(rows == 1, f"{rows} rows of one kernel's instances")
        finally:
            looks.browser.end()
    for words in looks.wrong:
        print(words)
    print(f"{len(looks.wrong)} faults of pages; {KERNELS} kernels have {size / 1e6:.2f} MB "
          f"and open in {seconds:.2f} s")
    return 1 if looks.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
