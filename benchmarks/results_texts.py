"""What docs/results.md says around its tables."""

TITLES = {
    "crossner": "CrossNER",
    "mit": "MIT Movie (trivia) and Restaurant",
    "bionlp": "BioNLP13PC and BioNLP13CG",
    "twitter": "Broad Twitter and Twitter-2017",
    "scitech": "CBS SciTech News, without target labels",
}
ABOUT = {
    "crossner": "Source CoNLL-2003 where one is named; 100 or 200 target sentences. A row is called after its recipe "
    "in `recipes/crossner`. Two are ablations of `sequential-label-aware` that have no recipe of their own: "
    "`without-context` has `--set tagger.context=false`, `without-background` has `--set tagger.background=false` "
    "([the settings](label-aware.md#settings)).",
    "mit": "Source CoNLL-2003. The data have no dev set: a seeded tenth of train is held out. The printed scores were "
    "chosen on test.",
    "bionlp": "Source CoNLL-2003 where no other is named. All labels of both sets.",
    "twitter": "Source CoNLL-2003. Our Twitter-2017 is a part of the papers' set: nothing printed compares with it.",
    "scitech": "Source CoNLL-2003, the test file of 2020; models are chosen on the source's dev set. Numbers on the "
    "file of 2019 are never put beside these.",
}
INTRODUCTION = """\
# Results

Every method of this project that was measured, on equal terms: the same data (fingerprints below), the same scorer
(micro F1 of exact spans, conlleval reading, sentences scored one by one), test scores in percent, weights chosen on
dev, mean over seeds. The interval holds 95 % of 2,000 resamplings of the test sentences (of an average: inside every
target; of a row with one target: of that), mean over seeds. *Minutes to train* are those of one run, all stages and the
pre-training of the encoder included, on the device in brackets, which several runs may have shared. *Words per second*
is the speed of tagging, from a measurement of its own, with its device. **Bold**: the best of what was measured here.
*Made with* is the number of a section at the end of the page: of the result file that the row comes from, with
device, versions, data and, as far as the runs tell, the revision of the code. Rows of one name are of different runs:
that number, or the targets that they have, tells them apart. Rows in italics are printed in papers, with their own
encoders, the paper in the place of the tagger; they stand beside ours and are never bold.

The page is made from the files `benchmarks/results/rows-*.json` by `.venv/bin/python benchmarks/results_page.py`, with
the environment that `make quickstart` or `make setup` makes; CI makes it again and fails on a difference.
How a result gets there: [benchmarks](../benchmarks/README.md).
"""
