"""Composition: settings, processes, demo mode. The only room that wires adapters to domains."""
