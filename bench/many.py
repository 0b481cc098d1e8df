"""L6: bets of very many members, beside the same bets of few."""

from contextlib import AsyncExitStack

from report import Benchmark
from slices import Slice, measure
from stand import IN_FLIGHT, read_whole, stand, until_read_ahead


async def run(
    large: str, small: str, *, counts: tuple[int, int], rounds: int, seconds: float, in_flight: int = IN_FLIGHT
) -> Benchmark:
    """Each side has its database in memory, its writer and its client; one slice of each warms up. Members are drawn
    evenly."""
    slices: tuple[list[Slice], list[Slice]] = ([], [])
    async with AsyncExitStack() as stack:
        stands = [
            await stack.enter_async_context(stand(url, accounts=accounts, fund=False))
            for url, accounts in zip((large, small), counts, strict=True)
        ]
        for one_stand in stands:
            await read_whole(one_stand.owner)
            await until_read_ahead(one_stand.owner)
        for number in range(-1, rounds):
            for side in (0, 1) if number % 2 else (1, 0):
                work = stands[side].ours.work("hot")
                assert work is not None
                one = await measure(work, in_flight, seconds, stands[side].meter)
                if number >= 0:
                    slices[side].append(one)
    about = f"bets of {counts[0]:,} members beside {counts[1]:,}"
    benchmark = Benchmark("L6", about, "postings/s", 0.75, against=f"{counts[1]:,} of our own")
    return benchmark.of_slices(*slices, "rate")
