"""RECIPES OF STAGES: what is learnt in which order, and what is carried from one stage to the next."""
