"""Settings of contexts: what stands between the encoder's vectors and the heads."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from nerbridge.config.base import OptionalInteger, OptionalNumber, Settings


class NoContext(Settings):
    """The heads read the encoder's vectors as they are."""

    kind: Literal["none"] = Field("none", description="no context")


class BiLstmSettings(Settings):
    """A bidirectional LSTM over the words of a sentence."""

    kind: Literal["bilstm"] = Field("bilstm", description="a bidirectional LSTM over the words")
    hidden: int = Field(
        200, ge=2, le=20_000, multiple_of=2, description="width of the states, both directions together"
    )
    layers: int = Field(1, ge=1, le=20, description="one over the other")
    apart: bool = Field(
        False, description="a layer's directions read those of the same direction alone, as language models need it"
    )
    dropout: float = Field(0.5, ge=0, lt=1, description="dropout between layers; on the states it is the tagger's")


LEAST_LIKENESS = 0.1  # of embeddings that agree in something


class ParameterGenerationSettings(Settings):
    """A bidirectional LSTM whose parameters are generated from embeddings of the domain and of the task."""

    kind: Literal["parameter_generation"] = Field(
        "parameter_generation", description="a BiLSTM generated for each domain and task"
    )
    hidden: int = Field(
        200, ge=2, le=20_000, multiple_of=2, description="width of the states, both directions together"
    )
    domain_width: int = Field(8, ge=1, le=1_000, description="width of a domain's embedding")
    task_width: int = Field(8, ge=1, le=1_000, description="width of a task's embedding")
    likeness: float = Field(
        0.0, ge=0, le=1, description="how alike embeddings start: 0 in random directions, 1 all the same"
    )
    start: Literal["random", "shared"] = Field(
        "random",
        description="the tensor starts random everywhere; or only where all embeddings agree, so that all domains and "
        "tasks start as one BiLSTM and grow apart as they learn",
    )
    task_likeness: OptionalNumber = Field(
        None, ge=0, le=1, description="how alike embeddings of tasks start; default: as alike as those of domains"
    )
    embedding_rate: float = Field(
        1.0, gt=0, le=1_000, description="learning rate of the embeddings, as a multiple of `head_learning_rate`"
    )
    domains: tuple[str, ...] = Field((), description="domains with an embedding; default: those of the streams")
    tasks: tuple[Literal["tags", "words"], ...] = Field(
        (), description="tasks with an embedding; default: those of the streams"
    )

    @property
    def likeness_of_tasks(self) -> float:
        """How alike embeddings of tasks start."""
        return self.likeness if self.task_likeness is None else self.task_likeness

    @model_validator(mode="after")
    def _agreement(self) -> "ParameterGenerationSettings":
        if self.start == "shared" and min(self.likeness, self.likeness_of_tasks) < LEAST_LIKENESS:
            raise ValueError(f'start "shared" needs embeddings that agree: likeness >= {LEAST_LIKENESS}')
        return self


class MultiCellSettings(Settings):
    """A bidirectional LSTM with a cell for each entity label and for O, merged by attention at every word."""

    kind: Literal["multi_cell"] = Field("multi_cell", description="an LSTM with a cell for each entity label")
    hidden: int = Field(200, ge=2, le=4_096, multiple_of=2, description="width of the states, both directions together")
    attention_width: OptionalInteger = Field(
        None, ge=1, le=4_096, description="width inside the attention that merges cells; default: half of hidden"
    )
    attention_apart: bool = Field(
        False, description="an attention of its own for each domain that has labels; default: all share one"
    )
    one_cell: bool = Field(
        False, description="one cell instead of one for each label, its forget gate one minus its input gate; no losses"
    )
    entity_weight: float = Field(
        1.0, ge=0, description="of the loss that lets each cell know its label; 0 leaves it out"
    )
    attention_weight: float = Field(
        1.0, ge=0, description="of the loss that lets the attention know the labels; 0 leaves it out"
    )
    record: bool = Field(
        True, description="on a GPU: record the kernels of a shape of batch once and play them again, for speed"
    )
    labels: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="domain -> its labels, which have a cell; default: those of its tag head"
    )
    read_as: dict[str, str] = Field(
        default_factory=dict, description="domain without labels -> the domain whose tagger it has; default: none"
    )


ContextSettings = Annotated[
    NoContext | BiLstmSettings | ParameterGenerationSettings | MultiCellSettings, Field(discriminator="kind")
]
