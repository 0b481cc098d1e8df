"""The chain: EVM nodes over JSON-RPC, deposit addresses, and for demo mode a wallet of the local node."""
