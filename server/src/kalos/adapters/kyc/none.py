"""The first source of identities: until papers can be sent, nobody's are approved."""

from kalos.core.ports import ApprovedIdentity


class NoIdentities:
    """An IdentitySource that knows nobody."""

    async def approved(self, _: int) -> ApprovedIdentity | None:
        return None
