"""In which country a caller's network is."""
