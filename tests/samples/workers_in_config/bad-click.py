import click
import typer
from torch.utils.data import DataLoader
from typing_extensions import Annotated

app = typer.Typer()


@click.command()
@click.option("--num_workers", "-w", type=int, default=8)
@click.option("--val-loader-workers", "val_workers", type=int, default=16)
def train(num_workers, val_workers):
    return DataLoader([1], num_workers=num_workers), DataLoader([1], num_workers=val_workers)


@app.command()
def evaluate(num_workers: int = typer.Option(8), test_workers: Annotated[int, typer.Option("--tw")] = 12):
    return DataLoader([1], num_workers=num_workers), DataLoader([1], num_workers=test_workers)
