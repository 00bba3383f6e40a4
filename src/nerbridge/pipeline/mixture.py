"""A multi-task stage: one model for all its streams, and the tagger of the target that remains of it."""

from collections import Counter

from nerbridge.assembly.build import Opposed, build_tagger
from nerbridge.assembly.metadata import ModelSettings
from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.streams import Stream
from nerbridge.batching.word_vocabulary import WordVocabulary
from nerbridge.config.adversary import NoAdversary
from nerbridge.config.context import ContextSettings, MultiCellSettings, ParameterGenerationSettings
from nerbridge.config.experiment import Experiment
from nerbridge.data.labels import LabelSet
from nerbridge.data.tags import TagVocabulary
from nerbridge.transfer.stage import Mixture, Stage, StreamPlan
from nerbridge.wording import counted


def mixture_model(experiment: Experiment, mixture: Mixture, seed: int) -> Tagger:
    """A new model with a tag head for each domain that has labels, and what else the streams and the adversary need."""
    spaces = {domain: TagVocabulary(labels, experiment.tagger.scheme) for domain, labels in mixture.spaces.items()}
    # Vectors of words that a discriminator alone reads must not move: adaptive optimisers take whole steps of gradients
    # as small as these.
    learnt = (stream.sentences for stream in mixture.streams if stream.objective != "domain")
    words = Counter(word for sentences in learnt for one in sentences for word in one.words)
    vocabulary = predicted_words(mixture)
    return build_tagger(
        experiment.encoder,
        placed(experiment.context, mixture),
        experiment.tagger,
        spaces,
        seed=seed,
        words=words,
        predicted=None if vocabulary is None else (mixture.words, vocabulary),
        opposed=_opposed(mixture),
        typed=None if mixture.types_weight is None else (_label_names(mixture), mixture.types_weight),
    )


def _opposed(mixture: Mixture) -> Opposed | None:
    """What tells the domains apart, with the number of streams of the target and of sources."""
    if isinstance(mixture.adversary, NoAdversary):
        return None
    num_source = sum(stream.of_source for stream in mixture.streams)
    return mixture.adversary, (len(mixture.streams) - num_source, num_source)


def predicted_words(mixture: Mixture) -> WordVocabulary | None:
    """The one vocabulary of all streams that learn words; None when none does."""
    texts = [stream.sentences for stream in mixture.streams if stream.objective == "words"]
    options = mixture.words
    sentences = (sentence for text in texts for sentence in text)
    return WordVocabulary.of(sentences, min_count=options.min_count, max_words=options.max_words) if texts else None


def describe_words(vocabulary: WordVocabulary) -> str:
    """'23,624 words are predicted as themselves; all others, 1.2 % of the running words, as one unknown word'."""
    share = f"{100 * vocabulary.share_of_others:.1f} %"
    others = f"all others, {share} of the running words, as one unknown word"
    return f"{counted(len(vocabulary.words), 'word')} are predicted as themselves; {others}"


def mixture_streams(mixture: Mixture, model: Tagger) -> list[Stream]:
    """The streams of the stage, for `model`."""
    words = None if model.words is None else model.words.vocabulary
    return [
        Stream(
            stream.name,
            stream.domain,
            stream.sentences,
            model.encoder.vectorizer,
            model.head(stream.domain).vocabulary if stream.objective == "tags" else None,
            stream.weight,
            words if stream.objective == "words" else None,
            stream.batch_scale,
            stream.sets_pace,
            None if model.discriminator is None else stream.of_source,
            _types(mixture, stream),
        )
        for stream in mixture.streams
    ]


def _types(mixture: Mixture, stream: StreamPlan) -> LabelSet | None:
    """The labels that a dictionary has marked in a stream's raw text; None where there is none."""
    marked = mixture.types_weight is not None and stream.objective == "words" and not stream.of_source
    return mixture.labels[stream.domain] if marked else None


def _label_names(mixture: Mixture) -> dict[str, tuple[str, ...]]:
    return {domain: labels.names for domain, labels in mixture.labels.items()}


def placed(context: ContextSettings, mixture: Mixture) -> ContextSettings:
    """The context's settings with the domains, and their tasks or labels, that it must tell apart."""
    match context:
        case ParameterGenerationSettings():
            return context.model_copy(update={"domains": mixture.domains, "tasks": mixture.objectives})
        case MultiCellSettings():
            guided = [domain for domain in mixture.labels if domain not in mixture.spaces]
            read_as = dict.fromkeys(guided, mixture.tagged_by)
            return context.model_copy(update={"labels": _label_names(mixture), "read_as": read_as})
        case _:
            return context


def delivered(model: Tagger, stage: Stage) -> Tagger:
    """What a finished stage hands on: of a mixture, the encoder, the context and the head that tags the target."""
    if stage.mixture is None:
        return model
    head = model.head(stage.mixture.tagged_by)
    if stage.decodable is not None:
        head.restrict(stage.decodable)
    return Tagger(model.encoder, model.context, {stage.domain: head})


def built_from(experiment: Experiment, stage: Stage) -> ModelSettings:
    """The settings that the stage's model was built from."""
    context = experiment.context if stage.mixture is None else placed(experiment.context, stage.mixture)
    return ModelSettings(encoder=experiment.encoder, context=context, tagger=experiment.tagger)
