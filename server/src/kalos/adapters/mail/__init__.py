"""How mails leave the house."""
