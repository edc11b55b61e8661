"""Writes dialogues, letters, notes and descriptions in simple English.

    python made_dialogues.py COUNT > made_dialogues.txt
"""

import random
import sys

from corpus import END
from grammar import Grammar
from names import NEW_BOYS, NEW_GIRLS

LISTS = {
    "colour": "red blue green yellow white black brown pink purple orange grey golden silver turquoise scarlet cream striped spotted".split(),
    "small": "little small tiny young".split(),
    "trait": """kind curious clever brave shy funny quiet busy gentle cheerful lazy proud careful lonely friendly patient
        stubborn hungry sleepy playful honest jolly wise silly polite helpful merry gloomy bold restless tidy messy forgetful thoughtful grumpy noisy dreamy timid cautious lively modest bossy neat nosy sunny""".split(),
    "animal": """rabbit mouse fox bear frog duck dog cat hedgehog squirrel owl turtle goat sheep pig lamb monkey elephant
        lion tiger giraffe penguin seal bee butterfly snail beaver otter badger donkey pony crow robin sparrow deer mole
        lizard parrot panda camel goose hen swan kitten puppy bunny hamster moose wolf raven heron parakeet toad newt gecko hare stork pigeon whale dolphin crab lobster starfish turkey peacock zebra hippo koala kangaroo wombat llama cricket ladybird spider ferret weasel chipmunk bat pelican""".split(),
    "toy": """ball kite doll drum boat train puppet teddy_bear top whistle robot yo-yo puzzle hoop scooter bucket spade
        truck plane paintbrush hat scarf ring bell book umbrella key button mitten lantern basket ribbon feather marble
        shell flute map box crown necklace coin clock cup watch blanket bag pencil torch compass whisk ladle vase thimble button mug bottle jar cushion pillow rope ladder hammer wheel flag horn violin trumpet guitar harmonica xylophone telescope suitcase rucksack glove sandal boot apron bracelet brooch comb mirror postcard notebook stamp candle globe dice""".split(),
    "down": "sad worried upset unhappy afraid cross puzzled lonely disappointed nervous gloomy miserable hurt uneasy troubled glum downhearted".split(),
    "inside": """under_the_bed behind_the_door in_the_kitchen under_the_table in_the_cupboard behind_the_sofa on_the_shelf
        in_the_bath under_the_rug in_the_hall on_the_stairs behind_the_curtain in_the_drawer under_the_pillow
        next_to_the_stove in_the_attic in_the_cellar on_the_windowsill in_the_laundry_basket under_the_chair behind_the_piano under_the_stairs in_the_pantry in_the_wardrobe on_top_of_the_fridge beside_the_fireplace in_the_toy_box between_the_cushions in_the_washing_machine under_the_sink behind_the_coats behind_the_books""".split(),
    "outside": """by_the_river in_the_garden under_the_old_oak near_the_pond behind_the_barn on_the_hill in_the_tall_grass
        beside_the_road by_the_fence near_the_mill in_the_park under_the_bridge at_the_edge_of_the_forest by_the_well
        on_the_beach near_the_swings behind_the_school in_the_meadow by_the_lake next_to_the_gate beside_the_stream on_the_dunes behind_the_windmill in_the_cornfield under_the_chestnut_tree near_the_ruins by_the_sea in_the_courtyard next_to_the_greenhouse by_the_railway at_the_crossroads in_the_valley near_the_beehives by_the_fountain behind_the_chapel on_the_pier in_the_clearing near_the_quarry""".split(),
    "place": """the_park the_forest the_beach the_market the_farm the_lake the_school the_library the_river the_meadow
        the_village the_zoo the_garden the_harbour the_castle the_mill the_playground the_orchard the_town
        the_lighthouse the_station the_museum the_bakery the_island the_bridge the_square the_waterfall the_bay the_cave the_windmill the_fair the_swimming_pool the_airport the_hospital the_theatre the_vineyard the_stables the_dairy the_post_office the_cliffs the_marsh the_canal the_tower""".split(),
    "food": """bread soup cake apples pears cheese honey pancakes berries porridge carrots cookies plums rice nuts
        sandwiches noodles eggs cherries biscuits grapes potatoes muffins waffles dumplings peaches tomatoes radishes raisins popcorn strawberries pasta beans peas walnuts pies toast tarts buns cucumbers""".split(),
    "family": "mother father grandmother grandfather aunt uncle mom dad sister brother cousin".split(),
    "made": """kite cake boat birdhouse mask puppet snowman sandcastle tower garden raft drum lantern scarf pie swing treehouse
        crown card bench""".split(),
    "part": "paper wood string cloth flour sugar sticks stones glue paint wool leaves butter eggs nails ribbon mud shells straw tape".split(),
    "size": "big small round heavy shiny old new long wooden soft wide strange tiny huge pretty dusty rusty striped crooked narrow broad shabby cracked glossy lovely odd square".split(),
    "subject": "maths music reading drawing history sport science singing writing geography".split(),
    "day": "today tomorrow on_Monday on_Tuesday on_Wednesday on_Thursday on_Friday on_Saturday on_Sunday".split(),
    "hour": "one two three four five six seven eight nine ten eleven twelve".split(),
    "count": "two three four five six seven eight nine ten".split(),
    "pet": "dog cat rabbit parrot hamster horse goat turtle duck hen pony lizard".split(),
    "job": "baker teacher doctor farmer painter pilot singer cook gardener driver nurse writer builder".split(),
    "land": """France Italy Spain Germany India Japan Kenya Brazil Norway Canada Greece Egypt Peru Poland China Ghana
        Mexico Ireland Vietnam Chile""".split(),
    "drink": "milk water tea juice lemonade cocoa".split(),
    "room": "kitchen bedroom garden bathroom hall attic cellar".split(),
    "hobby": """reading drawing swimming dancing cooking painting singing fishing skating knitting football
        climbing_trees baking playing_the_piano riding_my_bike collecting_shells flying_kites""".split(),
    "sky": "sunny rainy cloudy windy foggy cold warm snowy".split(),
    "well": "fine very_well quite_well happy good a_little_tired well".split(),
}
LISTS = {k: [w.replace("_", " ") for w in v] for k, v in LISTS.items()}

# A line begins with who speaks: {a} or {b}. Lines of one scene in order; `?` before a line: it may be left out.
SCENES = [
    ["{a}: [Hello|Hi|Good morning], {b}! How are you?", "{b}: I am {well}, thank you. And you?", "{a}: I am {well} too.",
     "?{a}: What did you do [yesterday|this morning]?", "?{b}: I went to {place} with my {family}. We ate {food} there.",
     "?{a}: That sounds [nice|good|like fun].", "{b}: [See you|Goodbye|Let us meet] {day}!"],
    ["{a}: What is your name?", "{b}: My name is {b}. What is yours?", "{a}: I am {a}. Where do you come from?",
     "{b}: I come from {land}. And you?", "{a}: I live here, near {place}.", "?{b}: Do you have a pet?", "?{a}: Yes, I have a {pet}. It is {colour} and very {trait}."],
    ["{a}: Do you like {food}?", "{b}: [Yes, I do|Yes, very much|No, I do not]. I like {food} best.", "{a}: And what do you like to drink?",
     "{b}: I like {drink}.", "?{a}: Then come to my house {day}. We will have {food} and {drink}.", "?{b}: Thank you! I will bring my {toy}."],
    ["{a}: Have you seen my {colour} {toy}?", "{b}: [No, I have not|I think so|Maybe]. Where did you have it last?", "{a}: It was {inside}.",
     "{b}: Did you look {inside}?", "{a}: [Not yet|No]. Oh, here it is! Thank you, {b}.", "?{b}: [You are welcome|No problem|I am glad]."],
    ["{a}: What is your favourite subject at school?", "{b}: I like {subject} best. And you?", "{a}: I like {subject}, but {subject} is hard for me.",
     "{b}: I can help you {day}.", "?{a}: That is very kind of you."],
    ["{a}: What do you want to be when you grow up?", "{b}: I want to be a {job}. My {family} is a {job} too.", "{a}: I would like to be a {job}, or maybe a {job}.",
     "?{b}: [Why|How] is that?", "?{a}: Because I like {hobby}."],
    ["{a}: What time is it?", "{b}: It is {hour} o'clock.", "{a}: Oh no, I am late! The bus to {place} [is leaving|leaves now|has already come].", "{b}: [Run|Hurry], then you can still catch it!"],
    ["{a}: How old are you?", "{b}: I am {count} years old. How old is your {family}?", "{a}: [I do not know|Very old, I think|Not so old].", "?{b}: My birthday is {day}."],
    ["{a}: How is the weather?", "{b}: It is {sky} and {sky}.", "{a}: Then let us go to {place}.", "{b}: [Good idea|Yes, let us go]! I will take my {toy}."],
    ["{a}: Can I help you?", "{b}: Yes, please. I would like {count} {food}.", "{a}: Here you are. Anything else?", "{b}: A {size} {toy}, please. How much is that?",
     "{a}: That is {count} coins.", "{b}: Thank you. Goodbye!"],
    ["{a}: Knock, knock.", "{b}: Who is there?", "{a}: It is {a}, with a {colour} {toy}.", "{b}: Come in! Do you want some {food}?"],
    ["{a}: Why are you {down}?", "{b}: I lost my {toy} {outside}.", "{a}: Do not worry. I will help you to find it.", "{b}: [Thank you|You are a good friend], {a}."],
]

TEXTS = [
    "My name is {a}. I am {count} years old and I live [in {land}|near {place}|in a {size} house]. I have {count} {pet}s and a {trait} {family}. I like {hobby} and {food}, but I do not like {food}. When I grow up, I want to be a {job}.",
    "Dear {b},\n[Thank you for|I was so happy about] the {colour} {toy}. I play with it {day}. How are you? Here it is {sky}. {day}, I will go to {place} with my {family}. Please write soon!\nYour friend {a}",
    "Dear {family},\nI am at {place}. It is {sky} here. {day} we ate {food} and saw a {size} {animal}. I miss you.\nLove, {a}",
    "This is my {pet}. Its name is {a}. It is {colour} and {size}, and it likes to sleep {inside}. Every morning it eats some {food}. It is a very {trait} {pet}.",
    "I need {food}, {food}, {food} and a {toy}. {b} will bring {drink} and {food}.",
    "It is {sky} {day}. {b} is in the {room} and {a} is {outside}. They [want|hope] to go to {place}, but the {size} {toy} is still {inside}.",
    "I like {hobby}. My {family} likes {hobby}. My friend {b} likes {food} and {hobby}.",
    "In the {room} there is a {size} {colour} {toy}. In the {toy} there is a {toy}. And next to it there is a {small} {animal} that eats {food}.",
    "How to make a {made}: You need some {part}, {part} and {part}. First take the {part}. Then add the {part}. Wait for {count} minutes. [Now it is ready|That is all]!",
    "{a} has {count} {toy}s. {b} has {count} {toy}s. They [put them|keep them] {inside}.",
    "She opened the {toy} and found a {size} {toy}. He opened the box and found a {colour} {toy}.",
    "She opened the box and found a {size} {colour} {toy}. {a} opened the door and saw a {small} {animal}. {b} looked {inside} and found some {food}.",
    "{a} opened the box and found a {toy}. \"What is it?\" asked {b}. \"It is a {toy},\" said {a}. \"My {family} gave it to me {day}.\"",
    "[Yesterday|Last week|In summer], {a} went to {place}. {b} stayed at home and {b} baked {food}. In the evening they sat {outside} and talked about {hobby}.",
]


def document(r: random.Random) -> str:
    """One dialogue or short text."""
    g = Grammar(LISTS, r)
    a, b = r.sample(NEW_GIRLS + NEW_BOYS, 2)
    bound = {"a": a, "b": b}
    if r.random() < 0.4:
        return g.fill(r.choice(TEXTS), bound)
    out, turns = [], r.random() < 0.5
    for line in r.choice(SCENES):
        if line[0] == "?" and r.random() < 0.4:
            break
        who, said = g.fill(line.lstrip("?"), bound).split(": ", 1)
        said = said[0].upper() + said[1:]
        if turns:
            out.append(f"{who}: {said}")
        elif said[-1] == ".":
            out.append(f"\"{said[:-1]},\" said {who}.")
        else:
            out.append(f"\"{said}\" {'asked' if said[-1] == '?' else 'said'} {who}.")
    return "\n".join(out)


if __name__ == "__main__":
    rng = random.Random(13)
    for _ in range(int(sys.argv[1])):
        print(document(rng) + f"\n{END}")
