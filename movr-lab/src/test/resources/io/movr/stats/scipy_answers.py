"""Answers, with SciPy, the questions that ScipyTest writes to standard input."""

import json
import sys

import numpy
from scipy import stats


def ranks(case):
    first, second = case["first"], case["second"]
    together = first + second
    # The choice that movr states: exact for fewer than 50 samples a side without ties.
    exact = len(set(together)) == len(together) and max(len(first), len(second)) < 50
    method = "exact" if exact else "asymptotic"
    found = stats.mannwhitneyu(first, second, alternative="two-sided", method=method)
    return {"u": float(found.statistic), "p": float(found.pvalue), "method": method}


def welch(case):
    one = [numpy.log(numpy.median(fork)) for fork in case["first"]]
    other = [numpy.log(numpy.median(fork)) for fork in case["second"]]
    return float(stats.ttest_ind(one, other, equal_var=False).pvalue)


def interval(case):
    found = stats.bootstrap(
        (case["first"], case["second"]),
        lambda first, second, axis: numpy.median(first, axis=axis) / numpy.median(second, axis=axis),
        n_resamples=10_000,
        vectorized=True,
        method="percentile",
        random_state=numpy.random.default_rng(1),
    ).confidence_interval
    return [float(found.low), float(found.high)]


questions = json.load(sys.stdin)
json.dump(
    {
        "ranks": [ranks(case) for case in questions["ranks"]],
        "welch": [welch(case) for case in questions["welch"]],
        "intervals": [interval(case) for case in questions["intervals"]],
    },
    sys.stdout,
)
