"""THE USER'S ROOM: a pipeline over text; never imports training."""
