# click starts no workers by default.
import click
from torch.utils.data import DataLoader


@click.command()
@click.option("--workers", "-w", "count", default=0)
def main(count):
    for batch in DataLoader([1, 2], num_workers=count):
        print(batch)


main()
