"""Pictures that people read more easily than programs do."""
