"""English words that say nothing about a domain: articles, pronouns, prepositions, conjunctions, auxiliaries."""

_TEXT = """
a an the this that these those such same other another each every either neither both all any some no none few
many much more most less least several own

i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
herself it its itself they them their theirs themselves who whom whose which what whoever whatever one ones

about above across after against along among around as at before behind below beneath beside besides between
beyond by despite down during except for from in inside into like near of off on onto out outside over past per
since through throughout till to toward towards under until up upon via with within without

and but or nor so yet if unless because although though while whereas whether than then

am is are was were be been being have has had having do does did doing done can could may might must shall should
will would ought 's 'm 're 've 'd 'll n't s t d ll m re ve ain aren couldn didn doesn don hadn hasn haven isn
mightn mustn needn shan shouldn wasn weren won wouldn cannot

here there where when why how again also always ever never just only too very not now once often still even almost
already however therefore thus hence rather quite perhaps further
"""

STOP_WORDS = frozenset(_TEXT.split())
