from reid.engine import Trainer


def main():
    trainer = Trainer(workers=2, iterations=12)
    trainer.train()
    print(f"trained: loss {trainer.losses[0]:.4f} -> {trainer.losses[-1]:.4f}")


if __name__ == "__main__":
    main()
