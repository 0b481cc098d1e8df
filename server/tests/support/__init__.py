"""What tests of several rooms share: clusters, members, the network guard."""
