"""The live hub: sockets, subscriptions and channels. No product words."""
