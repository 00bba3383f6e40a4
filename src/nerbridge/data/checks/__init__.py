"""What may be wrong with labelled data, found before hours of training are spent on it."""

from nerbridge.data.checks.duplicates import Shared, count_shared, find_duplicates
from nerbridge.data.checks.finding import Finding, Kind, Splits
from nerbridge.data.checks.labels import SeenMentions, count_seen_mentions, find_label_faults
from nerbridge.data.checks.survey import Survey, survey_file
from nerbridge.data.checks.words import find_encoder_faults, find_long_sentences, find_word_faults

__all__ = [
    "Finding",
    "Kind",
    "SeenMentions",
    "Shared",
    "Splits",
    "Survey",
    "count_seen_mentions",
    "count_shared",
    "find_duplicates",
    "find_encoder_faults",
    "find_label_faults",
    "find_long_sentences",
    "find_word_faults",
    "survey_file",
]
