"""Pictures of what a tagger has learnt: its states in two dimensions, and its scores while it trained."""
