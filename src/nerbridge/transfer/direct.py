"""Direct transfer: the encoder meets the target at once."""

from nerbridge.config.experiment import Experiment
from nerbridge.transfer.stage import DomainData, Plan, Stage


def direct(experiment: Experiment, target: DomainData) -> Plan:
    """One stage: the target (CrossNER, table 2: 'Directly Fine-tune')."""
    settings = experiment.training.for_stage("target")
    return Plan((Stage("target", "target", target.name, target.labels, target.train, target.dev, settings),))
