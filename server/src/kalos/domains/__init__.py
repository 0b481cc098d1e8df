"""The product's nouns, a folder each. Products never import products: they meet in the ledger."""
