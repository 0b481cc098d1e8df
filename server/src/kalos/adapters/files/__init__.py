"""Where files lie, and how pictures are written anew before they lie there."""
