"""THE LANDING: sentences become padded batches, in buckets, from streams."""
