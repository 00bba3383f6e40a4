"""Tag heads: from states to losses and tags."""
