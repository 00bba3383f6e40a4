"""A run folder that is trained in a second: it knows the names in four sentences by heart."""

from pathlib import Path

import torch

from builders import batch, four_sentences, tiny_encoder, tiny_tagger
from nerbridge.assembly.bundle import save_bundle
from nerbridge.assembly.metadata import ModelSettings
from nerbridge.assembly.tagger import Tagger
from nerbridge.config.encoder import TransformerSettings
from nerbridge.config.tagger import LinearSettings


def make_run(folder: Path) -> Path:
    """Trains a tiny tagger on `four_sentences` and saves it as the model of the run `folder`."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # a model as small as this one only waits for other threads
    try:
        model = _trained_tagger()
    finally:
        torch.set_num_threads(threads)
    settings = ModelSettings(encoder=TransformerSettings(), tagger=LinearSettings())
    save_bundle(model, folder / "stage" / "model", settings=settings)
    return folder


def _trained_tagger() -> Tagger:
    model = tiny_tagger(tiny_encoder(), domains=("news",))
    sentences = batch(model, four_sentences())
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
    model.train()
    torch.manual_seed(1)  # of dropout: whatever ran before, the same tagger
    for _ in range(120):
        optimiser.zero_grad()
        model(sentences).backward()
        optimiser.step()
    return model.eval()
