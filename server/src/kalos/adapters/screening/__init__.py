"""Who the house may not deal with."""
