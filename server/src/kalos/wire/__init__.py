"""How a call travels: envelope, channel, signature, strict JSON, sessions, limits, languages. No product words."""
