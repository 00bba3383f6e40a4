"""What stands on the encoder: contexts and heads."""
