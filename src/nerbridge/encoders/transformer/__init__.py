"""Any Hugging Face encoder: pieces pooled to words, long sentences in overlapping windows."""
