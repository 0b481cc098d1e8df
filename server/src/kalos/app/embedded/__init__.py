"""Parts that demo mode brings along: a PostgreSQL server and an EVM node, each as a child process."""
