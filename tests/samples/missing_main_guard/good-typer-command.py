# The application runs only where the script does.
import typer
from torch.utils.data import DataLoader

app = typer.Typer()


@app.command()
def train(workers: int = typer.Option(4, help="workers of the loader")):
    for batch in DataLoader([1, 2], num_workers=workers):
        print(batch)


if __name__ == "__main__":
    app()
