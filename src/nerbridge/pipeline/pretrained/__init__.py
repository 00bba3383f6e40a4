"""RAW TEXT AT WORK: cached steps from files of text and lists of names to an encoder of the domain.

    files -> built corpus -> names -> corpus level -> pre-trained encoder

Every step lies in the cache under a key of its inputs and settings, like the stages of training behind it.
"""
