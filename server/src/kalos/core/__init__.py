"""Words that every room shares: money, assets, refusals, clocks, ports. Knows nothing else of kalos."""
