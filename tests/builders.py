"""Objects built by hand, without network: sentences, batches, tokenizers of our own, tiny random encoders."""

import string
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import AutoModel, PreTrainedTokenizerFast

from nerbridge.assembly.build import compose
from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.batch import Batch
from nerbridge.batching.streams import Stream
from nerbridge.config.context import ContextSettings, NoContext
from nerbridge.config.encoder import LanguageModelSettings, TransformerSettings, WordCharSettings
from nerbridge.config.tagger import LinearSettings, TaggerSettings
from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Annotation, Sentence, Span
from nerbridge.data.tags import TagVocabulary
from nerbridge.encoders.base import Encoder
from nerbridge.encoders.language_model import LanguageModelEncoder
from nerbridge.encoders.language_model.files import new_model
from nerbridge.encoders.language_model.sizes import ElmoSizes, FlairSizes, Sizes
from nerbridge.encoders.transformer.build import assemble
from nerbridge.encoders.transformer.encoder import TransformerEncoder
from nerbridge.encoders.word_char import WordCharEncoder, build_word_char
from nerbridge.encoders.word_char.vocabulary import CharacterVocabulary

POSITIONS = 64
WORDS = ("ada", "lovelace", "wrote", "to", "the", "royal", "society", "in", "london", "bob", "sang", "with", "band")


def sentence(text: str, *spans: tuple[int, int, str], **parts: Any) -> Sentence:
    """`text` split at spaces, with `spans` of (start, end, label)."""
    return Sentence(tuple(text.split(" ")), tuple(Span(*span) for span in spans), **parts)


def partial(text: str, known: Sequence[int], *spans: tuple[int, int, str]) -> Sentence:
    """A sentence of which only the words at `known` are labelled."""
    flags = tuple(position in known for position in range(len(text.split(" "))))
    return sentence(text, *spans, annotation=Annotation.PARTIAL, known=flags)


def four_sentences() -> tuple[Sentence, ...]:
    """Something to overfit: labels person, organisation, location."""
    return (
        sentence("ada lovelace wrote to the royal society", (0, 2, "person"), (5, 7, "organisation")),
        sentence("bob sang in london", (0, 1, "person"), (3, 4, "location")),
        sentence("the royal society sang", (1, 3, "organisation")),
        sentence("london wrote to ada", (0, 1, "location"), (3, 4, "person")),
    )


def vocabulary(*labels: str, scheme: str = "BIO") -> TagVocabulary:
    """The tags of `labels`; of `four_sentences` when none is given."""
    return TagVocabulary(LabelSet.of(labels or ("person", "organisation", "location")), scheme)


def tiny_tagger(
    encoder: Encoder | None = None,
    tagger: TaggerSettings | None = None,
    context: ContextSettings | None = None,
    *,
    domains: Sequence[str] = ("news",),
    seed: int = 1,
) -> Tagger:
    """An untrained model over a tiny encoder, with the labels of `four_sentences` in every domain."""
    tagger = tagger or LinearSettings()
    spaces = {domain: vocabulary(scheme=tagger.scheme) for domain in domains}
    return compose(encoder or tiny_encoder(), context or NoContext(), tagger, spaces, seed)


def stream(model: Tagger, sentences: Sequence[Sentence], domain: str = "news") -> Stream:
    """`sentences` for the head `domain` of `model`."""
    return Stream("hand-made", domain, sentences, model.encoder.vectorizer, model.head(domain).vocabulary)


def batch(model: Tagger, sentences: Sequence[Sentence], domain: str = "news") -> Batch:
    """All `sentences` in one batch."""
    return stream(model, sentences, domain).batch(range(len(sentences)))


def tiny_encoder(kind: str = "bert", *, seed: int = 0, **settings: Any) -> TransformerEncoder:
    """A random transformer of 2 layers, 16 wide, with 64 positions and a tokenizer of ours. kind: see TINY_KINDS."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = AutoModel.from_config(tiny_config(kind))
    if getattr(model, "pooler", None) is not None:
        model.pooler = None
    return assemble(model, tiny_tokenizer(kind), TransformerSettings(**settings))


def tiny_word_char(*, seed: int = 0, **settings: Any) -> WordCharEncoder:
    """Random word vectors, 12 wide, and characters; it knows the words of `four_sentences` and their labels."""
    words = Counter(word for one in four_sentences() for word in one.words)
    words.update(span.label for one in four_sentences() for span in one.spans)
    sizes = {"vectors": None, "word_width": 12, "character_width": 6, "character_hidden": 4}
    return build_word_char(WordCharSettings(**{**sizes, **settings}), words=words, seed=seed)


def tiny_language_model(model: str = "elmo", *, seed: int = 0, **settings: Any) -> LanguageModelEncoder:
    """A random language model of 2 x 12, over letters, digits and punctuation."""
    sizes: Sizes = ElmoSizes(6, 2, 4, 1, 12, 2, 0.1) if model == "elmo" else FlairSizes(6, 12, 1, 0.1)
    alphabet = CharacterVocabulary("\x02\x03 " + CHARACTERS)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = new_model(sizes, len(alphabet))
        for parameter in network.parameters():
            parameter.data.mul_(3)  # small networks say little at first
    return LanguageModelEncoder(LanguageModelSettings(checkpoint="unused", **settings), network, alphabet)


def tiny_folder(folder: Path, kind: str = "bert", *, seed: int = 0) -> Path:
    """A folder as a model hub has it: config, weights, tokenizer."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        AutoModel.from_config(tiny_config(kind)).save_pretrained(folder)
    tiny_tokenizer(kind).save_pretrained(folder)
    return folder


# kind -> configuration class, what it needs beside the sizes, tokenizer
TINY_KINDS: dict[str, tuple[str, dict[str, Any], str]] = {
    "bert": ("BertConfig", {}, "word_piece"),
    "distilbert": ("DistilBertConfig", {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 32}, "word_piece"),
    "electra": ("ElectraConfig", {"embedding_size": 8}, "word_piece"),
    "mpnet": ("MPNetConfig", {"max_position_embeddings": POSITIONS + 2}, "word_piece"),
    "roberta": ("RobertaConfig", {"max_position_embeddings": POSITIONS + 2}, "byte_level"),
    "modernbert": (
        "ModernBertConfig",
        {"local_attention": 8, "cls_token_id": 0, "sep_token_id": 2, "bos_token_id": 0, "eos_token_id": 2},
        "byte_level",
    ),
    "xlm-roberta": ("XLMRobertaConfig", {"max_position_embeddings": POSITIONS + 2}, "unigram"),
    "albert": ("AlbertConfig", {"embedding_size": 8}, "unigram"),
    "deberta-v2": (
        "DebertaV2Config",
        {"relative_attention": True, "pos_att_type": ["p2c", "c2p"], "position_biased_input": False},
        "unigram",
    ),
}


def tiny_config(kind: str) -> Any:
    """The configuration of a tiny model."""
    name, more, tokenizer = TINY_KINDS[kind]
    sizes = {
        "vocab_size": _tokenizer(tokenizer).get_vocab_size(),
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": POSITIONS,
        "pad_token_id": 1,
    }
    if kind == "distilbert":
        sizes = {key: sizes[key] for key in ("vocab_size", "max_position_embeddings", "pad_token_id")}
    return getattr(transformers, name)(**{**sizes, **more})


def tiny_tokenizer(kind: str) -> PreTrainedTokenizerFast:
    """The fast tokenizer of a tiny model."""
    tokenizer = Tokenizer.from_str(_tokenizer(TINY_KINDS[kind][2]).to_str())
    names = {"bos_token": "<s>", "eos_token": "</s>", "cls_token": "<s>", "sep_token": "</s>"}
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", unk_token="<unk>", mask_token="<mask>", **names
    )


SPECIAL = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
CHARACTERS = string.ascii_letters + string.digits + string.punctuation


@cache
def _tokenizer(kind: str) -> Tokenizer:
    match kind:
        case "word_piece":
            pieces = (*SPECIAL, *WORDS, *CHARACTERS, *("##" + c for c in CHARACTERS), "##s", "##ing")
            names = dict.fromkeys(pieces)
            model = models.WordPiece({p: i for i, p in enumerate(names)}, unk_token="<unk>")
            tokenizer = Tokenizer(model)
            tokenizer.normalizer = normalizers.BertNormalizer()
            tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        case "byte_level":
            alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
            merges = [("Ġ", "a"), ("d", "a"), ("Ġa", "da"), ("i", "n"), ("Ġ", "t")]
            names = dict.fromkeys((*SPECIAL, *alphabet, *(a + b for a, b in merges)))
            tokenizer = Tokenizer(models.BPE({p: i for i, p in enumerate(names)}, merges))
            tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
            tokenizer.decoder = decoders.ByteLevel()
        case "unigram":
            pieces = [*((s, 0.0) for s in SPECIAL), ("▁", -3.0), *(("▁" + w, -4.0) for w in WORDS)]
            tokenizer = Tokenizer(models.Unigram([*pieces, *((c, -6.0) for c in CHARACTERS)], unk_id=3))
            tokenizer.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC()])
            tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        case _:
            raise ValueError(kind)
    tokenizer.add_special_tokens(list(SPECIAL))
    tokenizer.post_processor = processors.TemplateProcessing("<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    return tokenizer
