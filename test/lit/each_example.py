"""A lit test format: runs one script over every bundled example.

A file NAME.each is an ordinary lit script in which %example is the path of an
example; it yields one test for each docs/examples/*.cu. An example that needs a
toolkit is left out of scripts whose name has 'shim' in it.
"""

import os

import lit.Test
import lit.TestRunner
import lit.formats


class ExampleTest(lit.Test.Test):
    """One script with one example; the script is the source."""

    def __init__(self, suite, path_in_suite, config, script, example):
        super().__init__(suite, path_in_suite, config)
        self.script = script
        self.example = example

    def getSourcePath(self):
        return self.script


class EachExample(lit.formats.ShTest):
    def __init__(self, examples_dir):
        super().__init__(execute_external=False)
        self.examples = sorted(
            os.path.join(examples_dir, name)
            for name in os.listdir(examples_dir)
            if name.endswith(".cu")
        )

    def getTestsForPath(self, testSuite, path_in_suite, litConfig, localConfig):
        name, extension = os.path.splitext(path_in_suite[-1])
        if extension != ".each":
            return
        script = testSuite.getSourcePath(path_in_suite)
        for example in self.examples:
            if "shim" in name and needs_toolkit(example):
                continue
            stem = os.path.basename(example)
            path = path_in_suite[:-1] + (f"{name}-{stem}",)
            yield ExampleTest(testSuite, path, localConfig, script, example)

    def execute(self, test, litConfig):
        return lit.TestRunner.executeShTest(
            test, litConfig, self.execute_external, [("%example", test.example)]
        )


def needs_toolkit(example):
    with open(example, encoding="utf-8") as source:
        return "Needs the toolkit" in source.read()
