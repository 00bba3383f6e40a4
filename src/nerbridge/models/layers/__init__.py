"""The maths that heads and contexts share."""
