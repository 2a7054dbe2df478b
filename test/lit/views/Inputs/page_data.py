"""Prints some of the data in the HTML page of a report of transpose.cu.

  page_data.py PAGE.html
"""

import json
import sys


def data(page, name):
    mark = f'<script type="application/json" id="{name}">'
    begin = page.index(mark) + len(mark)
    return json.loads(page[begin:page.index("</script>", begin)])


with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
report, page = data(text, "report"), data(text, "page")
print("kernels:", len(report["kernels"]), len(page["kernels"]))
kernel, extra = report["kernels"][1], page["kernels"][1]
print("waits:", sum(w["cycles"] for w in extra["waits"]) <= extra["latency"] * 1.001)
print("source of line 41:", next(iter(page["sources"].values()))["41"])
index = [f["name"] for f in kernel["findings"]].index("BankConflict")
print("lanes of BankConflict:", extra["lanes"][index]["space"], extra["lanes"][index]["stride"])
table = extra["occupancy"]
at = table["threads"].index(256)
print(f"blocks of 256 threads: warps {table['by_warps'][at]},",
      f"registers {table['by_registers'][at][table['registers'].index(24)]},",
      f"shared {table['by_shared'][table['shared_bytes'].index(4096)]}")
