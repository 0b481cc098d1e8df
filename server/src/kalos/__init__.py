"""Kalos: accounts, ledger, games and chain of an open crypto-asset platform."""
