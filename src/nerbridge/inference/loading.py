"""A folder -> a pipeline that is ready to tag, on any machine, without network."""

from pathlib import Path

from nerbridge.data.run_model import refuse_other_model
from nerbridge.errors import BundleError
from nerbridge.inference.locating import find_bundle
from nerbridge.inference.pipeline import Pipeline


def load(
    folder: str | Path, device: str | None = None, *, domain: str | None = None, max_pieces: int | None = None
) -> Pipeline:
    """The pipeline of the model in `folder`: a bundle, a run, or a run of several seeds (the best on dev is taken).

    device: "cpu", "cuda", "cuda:1", ...; None takes the first GPU where there is one. domain: which head of a model
    with several; None where there is one only. max_pieces: subwords per batch, padding included; None
    takes what is fast on the device.
    Raises BundleError when the folder holds no whole model, or a run that of another, ConfigError for a device that is
    not there.

    >>> import nerbridge
    >>> pipeline = nerbridge.load("runs/music")                     # doctest: +SKIP
    >>> document = pipeline("Nina Simone was born in Tryon.")       # doctest: +SKIP
    """
    bundle_folder = find_bundle(folder)  # a wrong path is said before torch is imported
    if bundle_folder != Path(folder):
        refuse_other_model(bundle_folder.parent)
    from nerbridge.assembly.bundle import load_bundle
    from nerbridge.inference.model_tagger import ModelTagger, available_device

    chosen = available_device(device)
    model = load_bundle(bundle_folder, device=chosen).model
    names = [domain] if domain is not None else list(model.domains)
    if len(names) != 1 or names[0] not in model.domains:
        raise BundleError(
            "the model has several heads" if domain is None else f"the model has no head for domain '{domain}'",
            where=str(bundle_folder),
            expected=f"one of its domains: {', '.join(model.domains)}",
            hint=f"name it: domain={model.domains[0]!r}",
        )
    tagger = ModelTagger(model, names[0], max_pieces=max_pieces)
    return Pipeline(tagger, labels=tagger.labels, source=bundle_folder)
