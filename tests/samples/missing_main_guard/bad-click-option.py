import click
from torch.utils.data import DataLoader


@click.command()
@click.option("--workers", "-w", "count", default=4)
def main(count):
    for batch in DataLoader([1, 2], num_workers=count):
        print(batch)


main()
