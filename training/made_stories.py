"""Writes short stories whose thread is easy to follow: who wants what, what goes wrong, how it ends.

    python made_stories.py COUNT > made_stories.txt

The plots are in plots.py, the language of the templates in grammar.py.
"""

import random
import sys

from corpus import END
from grammar import Grammar
from names import NEW_BOYS, NEW_GIRLS
from plots import PLOTS

LISTS = {
    "colour": "red blue green yellow white black brown pink purple orange grey golden silver".split(),
    "small": "little small tiny young".split(),
    "trait": """kind curious clever brave shy funny quiet busy gentle cheerful lazy proud careful lonely friendly patient
        stubborn hungry sleepy playful honest jolly wise silly polite""".split(),
    "animal": """rabbit mouse fox bear frog duck dog cat hedgehog squirrel owl turtle goat sheep pig lamb monkey elephant
        lion tiger giraffe penguin seal bee butterfly snail beaver otter badger donkey pony crow robin sparrow deer mole
        lizard parrot panda camel goose hen swan kitten puppy bunny""".split(),
    "person": """baker farmer fisherman gardener teacher painter shepherd tailor sailor king queen prince princess miller
        cook doctor postman carpenter builder singer driver nurse pilot juggler wizard robot dragon giant fairy elf
        snowman train boat cloud star tree kite teapot lamp clock drum spoon""".split(),
    "toy": """ball kite doll drum boat train puppet teddy|bear top whistle robot yo-yo puzzle hoop scooter bucket spade
        truck plane paintbrush hat scarf ring bell book umbrella key button mitten lantern basket ribbon feather marble
        shell flute map box crown necklace coin clock cup watch blanket bag pencil torch compass""".replace("|", "_").split(),
    "feel": "happy glad pleased delighted cheerful thankful proud excited relieved".split(),
    "down": "sad worried upset unhappy afraid cross puzzled lonely disappointed nervous".split(),
    "inside": """under_the_bed behind_the_door in_the_kitchen under_the_table in_the_cupboard behind_the_sofa on_the_shelf
        in_the_bath under_the_rug in_the_hall on_the_stairs behind_the_curtain in_the_drawer under_the_pillow
        next_to_the_stove in_the_attic in_the_cellar on_the_windowsill in_the_laundry_basket under_the_chair""".split(),
    "outside": """by_the_river in_the_garden under_the_old_oak near_the_pond behind_the_barn on_the_hill in_the_tall_grass
        beside_the_road by_the_fence near_the_mill in_the_park under_the_bridge at_the_edge_of_the_forest by_the_well
        on_the_beach near_the_swings behind_the_school in_the_meadow by_the_lake next_to_the_gate""".split(),
    "place": """the_park the_forest the_beach the_market the_farm the_lake the_school the_library the_river the_meadow
        the_village the_zoo the_garden the_harbour the_castle the_mill the_playground the_orchard the_town
        the_lighthouse the_station the_museum the_bakery""".split(),
    "food": """bread soup cake apples pears cheese honey pancakes berries porridge carrots cookies plums rice nuts
        sandwiches noodles eggs cherries biscuits""".split(),
    "family": "mother father grandmother grandfather aunt uncle mom dad sister brother cousin".split(),
    "weather": """the_sun_was_shining it_was_raining it_was_windy the_sky_was_grey snow_was_falling it_was_warm it_was_cold
        the_birds_were_singing the_air_was_fresh it_was_foggy the_leaves_were_falling the_sky_was_blue""".split(),
    "when": """one_day one_morning one_afternoon one_sunny_day one_rainy_day one_evening early_one_morning one_winter_day
        on_Saturday on_Monday on_Sunday one_spring_morning after_breakfast after_school before_lunch one_summer_day
        one_autumn_day one_quiet_afternoon""".split(),
    "soon": "soon after_a_while at_last a_little_later before_long in_the_end finally one_fine_day".split(),
    "said": "said called whispered cried shouted laughed".split(),
    "asked": "asked said cried wondered whispered".split(),
    "exclaim": "Oh_no Oh_dear Look Listen Wait Goodness Hello Excuse_me Please Hey".split(),
    "kindly": "kindly softly quietly gently bravely cheerfully slowly politely warmly carefully".split(),
    "skill": """swim whistle dance paint sing climb ride_a_bike bake_bread play_the_drum skip_rope fly_a_kite read catch_a_ball
        tie_knots skate juggle row_a_boat plant_seeds knit draw_horses count_to_a_hundred jump_over_the_ditch""".split(),
    "fear": """the_dark thunder deep_water big_dogs tall_ladders the_old_house spiders loud_noises the_new_school the_wind
        the_doctor strangers the_cellar the_long_tunnel the_steep_hill the_waves""".split(),
    "made": """kite cake boat birdhouse mask puppet snowman sandcastle tower garden raft drum lantern scarf pie swing treehouse
        crown card bench""".split(),
    "part": "paper wood string cloth flour sugar sticks stones glue paint wool leaves butter eggs nails ribbon mud shells straw tape".split(),
    "trouble": """stuck_in_a_hole caught_in_a_bush lost_in_the_fog tangled_in_a_net sitting_alone_in_the_rain
        trapped_under_a_branch shivering_in_the_cold hurt_on_one_foot hungry_and_tired too_weak_to_fly
        stuck_high_in_a_tree hiding_from_the_storm""".split(),
    "gift": """shiny_stone warm_scarf bag_of_nuts song golden_feather pot_of_honey bunch_of_flowers secret_map
        basket_of_berries wooden_whistle smooth_shell bright_button loaf_of_bread jar_of_jam seed lantern""".split(),
    "warn": """touch_the_stove climb_the_wall go_into_the_forest_alone open_the_gate eat_too_many_sweets
        play_near_the_road swim_after_dark wake_the_baby feed_the_geese run_on_the_ice tease_the_dog pick_the_roses
        stay_up_late forget_the_key leave_the_door_open cross_the_river""".split(),
    "size": "big small round heavy shiny old new long wooden soft wide strange tiny huge pretty dusty".split(),
}
LISTS = {k: [w.replace("_", " ") for w in v] for k, v in LISTS.items()}

OPEN = [
    "Once upon a time, there was a little {colour} {kind} named {name}. Every [day|evening|week], {he} [sat|played|worked] {outside} and [dreamed of {food}|thought about {place}|sang to {his} {family}].",
    "Once upon a time, there was a little {kind} named {name}. {He} was [very|so|always] {trait} and loved to [play with|look at|talk about] {his} {colour} {toy}.",
    "Once upon a time, there was a little {kind} [called|named] {name} who lived [in a {colour} house|near {place}|with {his} {family}].",
    "Once upon a time there lived a {trait} {kind} named {name}. Every [day|morning|week] {he} [walked|ran|went] to {place} [to eat {food}|with {his} {family}|to {skill}].",
    "Once there was a {trait} {small} {kind}. {His} name was {name}, and {he} [liked|loved] {food} [more than anything|best of all|very much].",
    "{when}, {name} the {kind} [walked|went|ran] to {place} [with {his} {family}|all alone|to find some {food}]. {weather}.",
    "[In a {small} village|Far away|Long ago|In a {colour} house {outside}] there lived a {kind} named {name}. {He} was {trait} but also a [bit|little] {trait}.",
]
# These name the friend, and fit only the plots in which the two know each other already.
OPEN_WITH_FRIEND = [
    "{name} was a {trait} {kind} who [lived|slept|worked] {outside}. {His} best friend was a {other_kind} named {other}.",
    "A {small} {colour} {other_kind} named {other} and a {kind} named {name} were [good|best|old] friends. They [played|ate {food}|sat] together {outside}.",
    "Once upon a time, there was a little {kind} named {name}. {His} friend {other} was a {trait} {other_kind}.",
]
FRIENDS = ("lost", "share", "fear", "grow", "present")

CLOSE = ["[And they all lived|They lived] happily [ever after|together].", "The end.", "And that is [how|why] {name} and {other} [became friends|are still friends today].",
         "That [night|evening], {name} [slept well|dreamed of {food}|told {his} {family} all about it].", "", "", "", ""]


def pronouns(female: bool, thing: bool = False) -> dict[str, str]:
    he, him, his = ("it", "it", "its") if thing else ("she", "her", "her") if female else ("he", "him", "his")
    return {"he": he, "him": him, "his": his, "He": he.capitalize(), "His": his.capitalize()}


def story(rng: random.Random) -> str:
    """One story: an opening, a plot, sometimes a closing line. The same words stand for the same things throughout."""
    g = Grammar(LISTS, rng)
    female, other_female = rng.random() < 0.5, rng.random() < 0.5
    name = rng.choice(NEW_GIRLS if female else NEW_BOYS)
    other = rng.choice([n for n in (NEW_GIRLS if other_female else NEW_BOYS) if n != name])
    kind = rng.choices([("girl" if female else "boy"), g.word("animal", {}), g.word("person", {})], (0.35, 0.4, 0.25))[0]
    kind = {"king": "queen", "prince": "princess"}.get(kind, kind) if female else {"queen": "king", "princess": "prince"}.get(kind, kind)
    bound = pronouns(female) | {"name": name, "other": other, "kind": kind, "other_kind": g.word("animal", {})}
    bound |= {"he2": "she" if other_female else "he"}
    a, b, c = rng.sample(LISTS["part"], 3)
    bound |= {"part": a, "part2": b, "part3": c}
    for once, source in (("item", "toy"), ("where", "outside"), ("goal", "skill"), ("fright", "fear"), ("build", "made"),
                         ("elder", "family"), ("rule", "warn")):
        bound[once] = g.word(source, {})
    bound |= {"food": g.word("food", {}), "colour2": g.word("colour", {})}
    bound["colour"] = bound["colour2"]
    bound["food2"] = rng.choice([f for f in LISTS["food"] if f != bound["food"]])
    g.lists = LISTS | {"said2": ["said"], "place2": ["the house", "the barn", "the school", "the gate"], "animal2": ["owner"],
                       "it": ["the owner"], "place": LISTS["place"]}
    bound["place"] = g.word("place", {})
    plot = rng.choice(list(PLOTS))
    opening = rng.choice(OPEN_WITH_FRIEND if plot in FRIENDS and rng.random() < 0.6 else OPEN)
    beats = [opening] + PLOTS[plot] + [rng.choice(CLOSE)]
    lines = [g.fill(b, bound) for b in beats if b]
    return rng.choice(["\n", "\n", " "]).join(l for l in lines if l)


if __name__ == "__main__":
    rng = random.Random(11)
    for _ in range(int(sys.argv[1])):
        print(story(rng) + f"\n{END}")
