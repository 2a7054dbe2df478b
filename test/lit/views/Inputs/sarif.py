"""Checks two SARIF logs of one program, before and after lines moved.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: sarif.py BEFORE AFTER
"""

import json
import sys


def run_of(path):
    with open(path, encoding="utf-8") as file:
        log = json.load(file)
    assert log["version"] == "2.1.0" and len(log["runs"]) == 1
    run = log["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(set(rules)) == len(rules)
    for rule in run["tool"]["driver"]["rules"]:
        assert rule["help"]["markdown"].startswith("# " + rule["id"])
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uriBaseId"] in run["originalUriBaseIds"]
        assert place["region"]["startLine"] > 0
    return run


def prints(run):
    return [result["partialFingerprints"] for result in run["results"]]


before, after = (run_of(path) for path in sys.argv[1:3])
print("well-formed")
for result in before["results"]:
    place = result["locations"][0]["physicalLocation"]
    uri, region = place["artifactLocation"]["uri"], place["region"]
    print(result["ruleId"], f"{uri}:{region['startLine']}:{region.get('startColumn', 0)}")
print("fingerprints are", "equal" if prints(before) == prints(after) else "different")
