"""Where approved identities come from."""
