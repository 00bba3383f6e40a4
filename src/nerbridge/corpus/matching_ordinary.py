"""Names that are ordinary words: bands called Air, Yes and Queen fill a corpus with matches that mean something else.

Two signs, each of which is enough. The corpus: a name of one word with a capital is ordinary when the corpus writes the
word small at least 3 times and more often than with its capital; words that open a sentence are not asked, for all are
written large there. The list: everyday English words, for text that is too short to tell. What is written small in a
list of names ('piano', 'accuracy') is meant small: only the list speaks against it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from nerbridge.data.stop_words import STOP_WORDS

SMALL_AT_LEAST = 3
LOOKED_AT = 20_000_000  # words from the beginning of a corpus that tell how it writes a word

_EVERYDAY = """
age air america animal answer area arm art back bad bank bed best better big bird black blood blue board boat body book
bottom box boy bread bridge bring brother brown build building business buy call car card care case cat cause century
chance change child children church city class close cloth clothes club coffee cold color come company control cook cool
corner country course court cream cross cry cup cut dance dark date daughter day days dead deal dear death deep die
doctor dog door dream dress drink drive dry early earth east eat eight end english evening event eye face fact fair
fall family far farm fast father feel field fight figure film fine fire first fish five floor flow flower fly food foot
force form four free friday friend front full fun future game garden general get gift girl give glass go god gold good
great green grey ground group grow hair half hall hand happy hard hat head health hear heart heat heaven heavy hell help
high history hit hold hole home hope horse hot hour house human hundred husband ice idea inside island job join journey
joy keep key kid kill king kiss kitchen know land language large last late laugh law lead learn leave left leg letter
level life light like line list little live local long look lord lose lost lot love low luck machine make man march mark
market master may mean meet member men middle mind minute miss model modern moment monday money month moon morning
mother mountain mouth move movie music name nation nature near new news next nice night nine north nothing notice number
oil old open orange order paper parents part party past pay peace people person piece place plan plant play player poor
power present president press pretty price problem process product programme public pure queen question quick quiet race
rain reach read reading ready real reason record red rest result rich ride right ring rise river road rock room rose
round run sad safe sand saturday save say school science sea season second see send sense series service set seven
shape share ship shoe short show side sign silence silver simple sing sister sit six size skin sky sleep slow small
smart smile snow social son song soon soul sound source south space speak special spirit sport spring square stand star
start state station stay step stone stop storm story strange street strong student study style success sugar summer sun
sunday sunrise support sure surface sweet system table take talk team tell ten test thing things think third thousand
three thunder thursday tie time today together tomorrow tonight top touch town train travel tree trip trouble true
trust truth try tuesday turn two type uncle union unit university use user value video view village visit voice wait
walk wall want war warm watch water wave way wednesday week west white whole wide wife wild will win wind window wine
winter wish woman women wonder wood word words work working world write writing wrong year years yellow yes yesterday
young youth zero

january february april june july august september october november december christmas easter
american british english european french german italian japanese chinese indian russian spanish
don't can't won't doesn't didn't isn't wasn't i'm it's that's what's let's you're we're they're i'll
"""
ORDINARY_CAPITALS = frozenset({"A", "I"})
ORDINARY_WORDS = STOP_WORDS | frozenset(_EVERYDAY.split())


def candidates(names: Iterable[str]) -> frozenset[str]:
    """The forms that the corpus is asked about: each name of one word with a first capital, and the same in small."""
    large = [name for name in names if " " not in name and name[0].isupper()]
    return frozenset((*large, *map(str.lower, large)))


def count_forms(
    sentences: Iterable[Sequence[str]], wanted: frozenset[str], limit: int = LOOKED_AT
) -> tuple[Counter[str], int]:
    """How often each of `wanted` stands in `sentences` behind their first word, and how many words were looked at.

    limit: words after which no further sentence is looked at. What is held grows with `wanted`, not with the corpus.
    """
    counts: Counter[str] = Counter()
    seen = 0
    for words in sentences:
        counts.update(filter(wanted.__contains__, words[1:]))
        seen += len(words)
        if seen >= limit:
            break
    return counts, seen


def written_small(name: str, counts: Mapping[str, int]) -> bool:
    """Does the corpus write the one word `name` rather small than with its capital?"""
    small = counts.get(name.lower(), 0)
    return name[0].isupper() and small >= SMALL_AT_LEAST and small > counts.get(name, 0)


def in_list(name: str, *, small: bool) -> bool:
    """Is `name` everyday English: one word of the list or, in `small` letters, articles and the like alone?"""
    words = name.lower().split(" ")
    if len(words) == 1:
        return words[0] in ORDINARY_WORDS
    return small and all(word in STOP_WORDS for word in words)
