"""What the house tells its members, and the general calls beside it. Built so far: sending pictures,
which the domain `uploads` keeps; what a picture belongs to ties it to itself. No money moves here.
"""
