"""Other names for the people of a story: a small corpus seen many times is learned by heart more slowly so."""

import random
import re

GIRLS = """Lily Sue Lucy Mia Anna Sara Sally Jane Daisy Sarah Molly Amy Jill Lila Mary Emma Jenny Emily Alice Susie Polly
Lisa Bella Grace Ella Sandy Maria Ann Sophie Rosie Lola Mandy Lilly Mimi Rachel Kate Betty Tilly Luna Penny Kim Maggie
Jenna Clara Maddy Claire Milly Lulu Tina Liz Annie Julie Nora Suzy""".split()
BOYS = """Tim Tom Timmy Ben Max Sam Jack John Bob Joe Tommy Billy Benny Jimmy Jake Sammy Pete Mark Peter Jim Bobby Johnny
Alex Leo Andy Fred Toby Joey James Henry Freddy George Charlie Ted Tony Frank Danny Dave Jerry Teddy Steve Paul Josh
Gary""".split()
NEW_GIRLS = GIRLS + """Ada Aisha Amara Amina Anika Asha Aya Bea Carla Chloe Dina Elena Eva Fatima Freya Gina Hana Hannah
Ines Ingrid Iris Isla Ivy Jana Joy June Kaya Keiko Kira Laila Lena Leila Lin Lotte Maya Mei Mira Nadia Naomi Nina Noor
Olga Pia Priya Ruby Rosa Ruth Sana Selma Sita Sofia Tara Tess Uma Vera Wendy Yara Yuki Zara Zoe Zuri""".split()
NEW_BOYS = BOYS + """Adam Ali Amir Anton Arun Asher Ben Bruno Carlos Dan David Diego Eli Emil Enzo Eric Felix Finn Hamid
Hans Hugo Idris Ivan Jamal Jan Jonas Juan Karim Kenji Kofi Lars Liam Luca Luis Marco Mateo Milo Musa Nico Noah Oleg Omar
Oscar Otto Pablo Rafi Ravi Remy Robin Rohan Samir Simon Tariq Theo Tuan Victor Will Yusuf Zaid""".split()
# For plots: the more names there are, the fewer runs of words are told twice.
MANY_GIRLS = NEW_GIRLS + """Abby Alba Alma Anne April Ava Beth Carmen Carol Cora Dana Della Dora Elise Emmy Fern Flora Gail Holly Ida Jade
Jess Julia Kitty Lara Lea Leah Lia Liv Malia Mara Margo Maud May Megan Mina Myra Nell Nia Nola Norma Pam Paula
Rita Sage Stella Thea Tia Willa Zita""".split()
MANY_BOYS = NEW_BOYS + """Abe Alan Amos Andre Arlo Bart Bernie Bert Bruce Carl Chris Clive Colin Dale Denny Elmer Gil Gus Hal Hector
Herman Howard Ian Ike Jared Jay Jed Joel Jon Jude Julian Keith Ken Kit Kurt Lenny Leon Lionel Lou Mack Mario
Mick Mike Mort Myles Nat Ned Nick Perry Phil Ray Rex Rick Rob Rocco Ron Roy Russ Saul Scott Seth Sid Stan Sven
Tad Todd Tomas Vic Vince Wally Wes Zack""".split()
WORD = re.compile(r"\b[A-Z][a-z]+\b")


def rename(text: str, rng: random.Random) -> str:
    """The text with each known name replaced throughout by one of the same kind, two people never by the same name."""
    found = dict.fromkeys(WORD.findall(text))
    taken, new = set(found), {}
    for name in found:
        choices = NEW_GIRLS if name in GIRLS else NEW_BOYS if name in BOYS else None
        if choices:
            pick = rng.choice([c for c in choices if c not in taken])
            taken.add(pick)
            new[name] = pick
    return WORD.sub(lambda m: new.get(m[0], m[0]), text)
