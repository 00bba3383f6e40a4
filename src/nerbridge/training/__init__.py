"""The gym: one loop that trains a tagger on streams, and everything it needs to be stopped and continued."""
