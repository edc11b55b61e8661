# Die Sampler: wie Stufen und Vorlagen heißen und was sie tun, der Abschnitt der Sampler und die Stationen vor den Logits.

# Die Stufen mit Namen
stage-repetition = Wiederholungsstrafe
stage-presence = Präsenzstrafe
stage-frequency = Häufigkeitsstrafe
stage-ngram = n-Gramm-Sperre
stage-bias = Logit-Bias
stage-regex = Regex
stage-json = JSON-Schema
stage-temperature = Temperatur
stage-top-k = Top-k
stage-top-p = Top-p
stage-min-p = Min-p
stage-typical = Lokal typisch
stage-top-n-sigma = Top-nσ
stage-xtc = XTC
stage-mirostat = Mirostat 2
stage-greedy = Greedy

# Wozu jede dient
stage-repetition-what = Macht Tokens weniger wahrscheinlich, die schon im Prompt oder im Text stehen
stage-presence-what = Zieht jedem schon erzeugten Token gleich viel ab, damit Neues zur Sprache kommt
stage-frequency-what = Zieht einem Token umso mehr ab, je öfter es schon erzeugt wurde
stage-ngram-what = Verbietet, dieselbe Folge von n Tokens ein zweites Mal zu schreiben, außer wenn sonst nichts übrig ist
stage-bias-what = Hebt, senkt oder sperrt Tokens deiner Wahl
stage-regex-what = Lässt nur einen Text zu, der vom ersten bis zum letzten Zeichen zu diesem regulären Ausdruck passt
stage-json-what = Lässt nur JSON zu, das diesem Schema entspricht, die Schlüssel in dessen Reihenfolge und mit einfachen Leerzeichen
stage-temperature-what = Schärft die Verteilung unter 1 und verflacht sie darüber; 0 ist Greedy
stage-top-k-what = Lässt nur die k wahrscheinlichsten Tokens mitspielen; 0 ist aus
stage-top-p-what = Behält vom wahrscheinlichsten an nur so viele Tokens, bis sie zusammen p erreichen; 1 ist aus
stage-min-p-what = Behält Tokens mit mindestens diesem Anteil der Wahrscheinlichkeit des besten; 0 ist aus
stage-typical-what = Behält die Tokens, die etwa so überraschend sind, wie das Modell es erwartet; 1 ist aus
stage-top-n-sigma-what = Behält die Logits, die aus der Menge herausragen, bei jeder Temperatur; 0 ist aus
stage-xtc-what = Nimmt ab und zu die naheliegenden Tokens weg, für einen originelleren Text
stage-mirostat-what = Hält die Überraschung des Textes nahe einem Zielwert und schneidet dafür bei jedem Token mehr oder weniger ab
stage-greedy-what = Nimmt immer das wahrscheinlichste Token

# Ihre Formeln: l sind Logits, p Wahrscheinlichkeiten
stage-repetition-formula = gesehene Tokens: l > 0 → l / r, l < 0 → l × r
stage-presence-formula = erzeugte Tokens: l → l − a
stage-frequency-formula = erzeugte Tokens: l → l − a × Anzahl
stage-ngram-formula = verwirf, was eine Folge von n Tokens wiederholt
stage-bias-formula = gewählte Tokens: l → l + b
stage-constraint-formula = verwirf, womit kein passender Text weitergeht
stage-temperature-formula = p = softmax(l / T)
stage-top-k-formula = behalte Rang ≤ k
stage-top-p-formula = behalte so wenige der besten wie möglich mit Σ p ≥ P
stage-min-p-formula = behalte p ≥ m × das beste p
stage-typical-formula = behalte so wenige wie möglich, kleinstes |−log₂ p − H| zuerst, mit Σ p ≥ P
stage-top-n-sigma-formula = behalte l ≥ max l − n × σ
stage-xtc-formula = wenn Zufallszahl < Chance: verwirf p ≥ t, außer dem letzten davon
stage-mirostat-formula = behalte −log₂ p ≤ μ; dann μ → μ − η × (Überraschung − τ)
stage-greedy-formula = behalte Rang 1

# Ihre Formeln mit den Zahlen eines Schritts
stage-penalty-at = verschiedene erzeugte Tokens bisher: { $n }
stage-constraint-at = noch passende Tokens: { $n }
stage-ngram-at = Tokens, die eine Folge wiederholen würden: { $n }
stage-all-banned = alles ist gesperrt: Das Beste bleibt
stage-temperature-at = bestes Logit { $before } / { $value } = { $after }
stage-top-k-at = { $n ->
    [one] Rang 1 hat Σ p = { $mass }
   *[other] die Ränge 1 bis { $n } haben Σ p = { $mass }
    }
stage-top-p-at = { $n ->
    [one] das beste hat Σ p = { $mass } ≥ { $value }
   *[other] die besten { $n } haben Σ p = { $mass } ≥ { $value }
    }
stage-min-p-at = p ≥ { $value } × { $best } = { $limit }
stage-typical-at = H = { $entropy } Bit; höchstens { $limit } Bit davon entfernt
stage-top-n-sigma-at = l ≥ { $best } − { $value } × { $sigma } = { $limit }
stage-xtc-at = Zufallszahl { $coin } { $sign } { $chance }; Tokens ab { $value }: { $n }
stage-mirostat-at = μ = { $mu } Bit; genommen bei { $surprise } Bit, also μ → { $after }
stage-mirostat-at-dropped = μ bleibt { $mu } Bit: Das genommene Token war verworfen

# Die Vorlagen
preset-own = Das Modell selbst
preset-own-what = Kein Sampler ändert etwas: Tokens werden aus der Verteilung des Modells selbst gezogen
preset-greedy-what = Immer das wahrscheinlichste Token: gar kein Zufall
preset-precise = Genau
preset-precise-what = Wenig Zufall, für Fakten und Code
preset-balanced = Ausgewogen
preset-balanced-what = Etwas Zufall, für die meisten Texte
preset-creative = Kreativ
preset-creative-what = Viel Zufall; das Unwahrscheinliche ist vorher abgeschnitten, damit die Hitze es nicht hochholt
preset-transformers-what = Was generate(do_sample=True) tut, wenn nichts anderes gesagt ist
preset-llama-cpp-what = Was llama-cli tut, wenn nichts anderes gesagt ist: Hier kommt die Temperatur zuletzt

# Der Abschnitt der Sampler
sampler-presets = Vorlagen
sampler-presets-what = Ketten, mit denen du beginnen kannst
sampler-add = Neu
sampler-add-what = Der Kette eine Stufe hinzufügen
sampler-reset = Reset
sampler-reset-what = Alle Sampler aus, Temperatur 1
sampler-empty = Keine Stufe: Tokens werden aus der Verteilung des Modells selbst gezogen
sampler-seed = Seed
sampler-seed-what = Gleicher Seed, gleicher Prompt und gleiche Einstellungen ergeben jedes Mal denselben Text
sampler-max-tokens = Max. Tokens
sampler-max-tokens-what = Wo der Text spätestens endet; einer, der dort endete, geht weiter, wenn die Zahl steigt

# Die Zeile einer Stufe
row-switch = { $stage } an
row-switch-what = Stufe ein- oder ausschalten; ihr Wert bleibt
row-drag = An eine andere Stelle der Kette ziehen
row-move = { $stage } verschieben
row-click = Klick zeigt die Zahlen
row-bias = { $n ->
    [0] noch kein Token
    [one] 1 Token
   *[other] { $n } Tokens
    }
row-constraint = Enter übernimmt den Text. Was erzeugt wird, muss passen, auch die Leerzeichen
row-chance = Chance
row-chance-what = Wie oft es geschieht
row-speed = Tempo η
row-speed-what = Wie schnell μ folgt
row-acts = ab dem nächsten Token
row-switched-off = ausgeschaltet
row-off = bei diesem Wert aus
row-off-empty = aus, solange nichts dasteht
row-overruled = Greedy geht vor
row-outcome = Entropie und Kandidaten vor und nach { $stage }: { $before } → { $after } Tokens, { $kept } der Wahrscheinlichkeit bleiben

# Was hinter einer Stufe steckt
details-empty = Die Zahlen und Kurven eines Schritts stehen hier, sobald ein Token mit dieser Stufe erzeugt ist
details-remove = { $stage } entfernen
details-before = vorher
details-after = nachher
details-curves = Wahrscheinlichkeit nach Rang, vorher (grau) und nachher: { $before } → { $after } Tokens
details-ban = sperren
details-ban-what = Das Token kann nicht gezogen werden, außer wenn sonst keines übrig ist
details-unbias = { $token } nicht mehr ändern
details-token-hint = Token oder ID
details-token = Neues Token oder seine ID
details-add = Hinzufügen
details-add-token = { $token } hinzufügen

# Die Stationen vor den Logits
card-tokenize = Text wird zu IDs
card-embed = IDs werden zu Vektoren
card-layers = Die Vektoren durchlaufen Block um Block
card-ids = { $n ->
    [one] 1 ID für { $bytes } Byte Text
   *[other] { $n } IDs für { $bytes } Byte Text
    }
card-position = Position
card-token = Token
card-id = ID
card-bytes = Bytes
card-chip = Position { $n } { $token }
card-special = Sondertoken: kein Teil des Textes
card-in = hinein
card-out = heraus
card-in-and-out = hinein und heraus
card-token-ids = { $n ->
    [one] 1 Token-ID
   *[other] { $n } Token-IDs
    }
card-numbers = { $n } × { $size } Zahlen ({ $dtype })
card-embedding = Einbettungsmatrix
card-took = dauerte
card-attends = beachtet höchstens
card-cache = { $n ->
    [one] 1 Position im KV-Cache
   *[other] { $n } Positionen im KV-Cache
    }
card-block-has = jeder Block hat
card-heads = { $n } Query-Köpfe, { $kv } Key/Value-Köpfe, je { $size } Zahlen
card-blocks-took = { $ms } für { $n } Blöcke
card-block = Block { $n }
