"""`python -m hqt`: the same as the command `hqt`."""

from hqt.cli.main import main

if __name__ == "__main__":
    main()
