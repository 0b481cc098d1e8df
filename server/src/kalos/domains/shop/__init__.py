"""The shop. Built so far: sending its pictures (of goods, a logo, a licence), which the domain `uploads` keeps. No
money moves here yet.
"""
