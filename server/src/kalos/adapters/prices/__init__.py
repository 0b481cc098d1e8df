"""Where a coin's price comes from."""
