# What the room Inside says.

room-inside = Innen
keys-inside-room = Im Modell: Token, Embeddings, Attention, Schichten
charts-tokens = Tokens
charts-tokens-hint = Wie aus dem Prompt Token wurden
charts-embeddings = Embeddings
charts-embeddings-hint = Wie aus Ids Vektoren werden und welche Vektoren einander nahe sind
charts-map = Karte
charts-map-hint = Das Modell, Schicht für Schicht, mit dem, was hindurchfließt
charts-attention = Attention
charts-attention-hint = Welche Token jedes Token liest
charts-cache = Cache
charts-cache-hint = Was der KV-Cache von einem Token enthält und welche Köpfe es lesen
charts-lens = Linse
charts-lens-hint = Was das Modell sagen würde, wenn es in seinen Schichten anhielte
charts-attribution = Beiträge
charts-attribution-hint = Was jeder Teil des Modells zu einem Logit beitrug
charts-interventions = Eingriffe
charts-interventions-hint = Teile des Modells abschalten, skalieren oder durch das ersetzen, was ein anderer Text berechnet hat
inside-no-step = Drücke zuerst Schritt: Dann siehst du, wie das Modell das Token berechnet hat
inside-other-model = Diesen Schritt hat ein anderes Modell gemacht. Öffne es, um hineinzusehen
inside-under-way = Der Text wird noch einmal gelesen…
inside-not-recorded = Was das Modell innen berechnet hat, wurde nicht aufgezeichnet. Die { $n } Token noch einmal zu lesen dauert einen Moment
inside-earlier = Von Schritt { $n }: Halte den Lauf an, oder lass ihn langsamer laufen, um den neuesten zu sehen
inside-made-changed = ◆ Dieser Schritt entstand mit { $n ->
    [one] einer Änderung
   *[other] { $n } Änderungen
    } am Modell
inside-unchanged = ◆ Das Modell, wie es ist: Dieser Schritt entstand mit Änderungen
inside-changed = ◆ Das Modell mit { $n ->
    [one] einer Änderung
   *[other] { $n } Änderungen
 }, nicht wie es ist
inside-look = Text noch einmal lesen
inside-token = Token { $n }: { $token }
inside-drawn = Als nächstes gezogen: { $token }

# Das Bild der Attention.

heat-legend = Farben von 0 bis 100 %: { $what }
attention-reads = „{ $token }“ ({ $n }) liest „{ $of }“ ({ $m }): { $share }
attention-legend = Anteil der Attention
attention-legend-axes = Zeilen lesen Spalten · L, H zählen ab 0 · Linien ab 1 %
attention-merged = Bildpunkte: der größte von ≤ { $n } × { $n } Anteilen (groß: ≤ { $m } × { $m })
attention-first = die Zeilen beginnen mit Token { $n }: Die davor brauchten zu viel Speicher
attention-heads = Alle Köpfe, { $layers } Schichten mal { $heads } Köpfe; gewählt: { $name }. Die Pfeiltasten wählen einen anderen
attention-head-is = { $name }: { $what } { $value }
attention-one-hint = Das Muster dieses Kopfes allein
attention-average = Mittel
attention-of-layer = Das Mittel über alle Köpfe der Schicht { $layer }
attention-average-of = Das Mittel über die Köpfe der Schicht { $layer }
attention-maximum = Maximum
attention-maximum-hint = Der größte Anteil irgendeines Kopfes der Schicht, Token für Token: Die Zeilen ergeben zusammen nicht 100 %
attention-maximum-of = Das Maximum über die Köpfe der Schicht { $layer }
attention-pattern = Attention, { $of }: { $n } Token. „{ $token }“ ({ $m }) liest am meisten von: { $each }. Die Pfeiltasten wählen eine andere Zeile
heads-under-way = Die Köpfe werden vermessen…
heads-this-token = dieses Token
heads-all-tokens = alle Token
heads-entropy = Entropie
heads-entropy-about = Wie gleichmäßig ein Token liest: 0 Bit, wenn es ein einziges Token liest, und umso mehr, je mehr Token sich seine Attention teilen.
heads-distance = Abstand
heads-distance-about = Wie viele Token zurück im Mittel gelesen wird, jedes mit seinem Anteil gewichtet.
heads-previous = Voriges Token
heads-previous-about = Anteil der Attention auf dem Token unmittelbar davor.
heads-first = Erstes Token (Senke)
heads-first-about = Anteil auf dem ersten Token des Textes. Viele Köpfe legen dort ab, wofür sie keine Verwendung haben.
heads-same = Gleiches Token zuvor
heads-same-about = Anteil auf früheren Vorkommen desselben Tokens, wo es welche gibt.
heads-induction = Induktion
heads-induction-about = Anteil auf den Token, die auf frühere Vorkommen desselben Tokens folgten: Was ein solcher Kopf findet, kann als Fortsetzung kopiert werden.
heads-over = Das Mittel geht über { $n ->
    [one] das eine Token, für das es erklärt ist.
   *[other] die { $n } Token, für die es erklärt ist.
}
heads-row = { $name }: dieses Token { $row }, alle Token { $mean }
heads-most = Köpfe mit dem größten Wert: { $what }
heads-none = Im Text kommt kein Token zweimal vor
heads-ranked = { $n }. { $name } { $value }

# Eine Zelle des KV-Cache.

cache-cells = KV-Cache, { $n } Positionen; gewählt: { $at }, „{ $token }“. { $cell }. Die Pfeiltasten wählen eine andere
cache-prefill = vom Prefill gefüllt
cache-decode = vom Decode gefüllt
cache-read-strip = unter jeder Zelle: was { $head } jetzt von ihr liest, für „{ $token }“
cache-at = Position { $n }
cache-bytes = · { $each } hier in allen Schichten, { $all } in { $n ->
    [one] der einen Zelle
   *[other] { $n } Zellen
 }
cache-forgotten = { $n ->
    [one] Das erste Token des Textes ist vergessen: Seine Zelle gibt es nicht mehr.
   *[other] Die ersten { $n } Tokens des Textes sind vergessen: Ihre Zellen gibt es nicht mehr.
 }
cache-unseen = In Schicht { $layer } liest „{ $token }“ nur { $n ->
    [one] sich selbst
   *[other] die letzten { $n } Tokens
 }: Kein Kopf der Schicht liest diese Zelle.
cache-no-chip = Die Reihe der Tokens oben beginnt bei { $n }. Keys und Values sind auch von allen davor bekannt.
cache-shared = { $n ->
    [one] Key/Value-Kopf { $kv }, nur von { $heads } gelesen
   *[other] Key/Value-Kopf { $kv }, geteilt von { $heads }
 }
cache-shared-about = Jeder Key/Value-Kopf hat im KV-Cache einen eigenen Key und einen eigenen Value. Wo sich mehrere Köpfe einen teilen (Grouped-Query Attention), ist der KV-Cache kleiner
cache-key = Key
cache-key-about = So, wie er gespeichert ist: um seine Position gedreht. Die Query eines Tokens wird Zahl für Zahl mit ihm multipliziert; die Summe ist der Score, und von ihm hängt ab, wie viel von dieser Zelle gelesen wird
cache-value = Value
cache-value-about = Was ein Kopf von dieser Zelle übernimmt, multipliziert mit dem Anteil seiner Attention
cache-length = der Länge { $n }
cache-strip = { $name } an Position { $at }: { $n } Zahlen, Länge { $length }
cache-group = Die Köpfe, die ihn sich teilen, lesen von dieser Zelle, für „{ $token }“:
cache-read = { $head } liest hier mit { $share } seiner Attention
cache-readers = Was jeder Kopf jetzt von dieser Zelle liest
cache-best = Am meisten: { $head } mit { $share }
cache-grid = Was { $layers } Schichten mal { $heads } Köpfe von Position { $at } lesen. { $best }; gewählt: { $chosen } mit { $share }. Die Pfeiltasten wählen einen anderen Kopf

# Die Karte.

keys-zoom-out = Aus dem gezeigten Teil der Karte heraus
map-model = Modell
map-layer = Schicht { $n }
map-head = Kopf { $n }
map-number = Zahl
map-hint = Ein Klick auf einen Teil führt hinein, Esc wieder heraus
map-model-hint = Ein Klick auf eine Schicht führt hinein, Esc wieder heraus
map-layer-hint = n Token gehen zugleich hindurch, die Streifen zeigen das gewählte; klicke auf einen Kopf oder einen umrandeten Kasten
map-head-hint = Was das gewählte Token durch { $name } liest; ein Klick auf eine Zeile rechnet ihren Score vor
map-embed = Embed
map-embed-about = Das Embedding von „{ $token }“: { $n } Zahlen, Länge { $size }
map-head-card = Kopf
map-final-norm = letzte Norm
map-logits = Logits
map-head-about = Die letzte Norm und der Kopf machen aus der letzten Position { $n } Logits. Gezogen: { $token }, Logit { $logit }
map-layer-card = Schicht { $n }: Attention addiert einen Vektor der Länge { $attention }, das MLP einen der Länge { $mlp }
map-layer-lens = Hier würde die Linse { $token } sagen, { $share }
map-model-legend = Bilder: Attention, das Mittel über die Köpfe. A, M: Länge dessen, was Attention und MLP zum gewählten Token addieren. Darunter: der Strom nach der Schicht und seine Linse.
map-no-lens = Öffne einmal Linse, um sie hier zu sehen.
map-resid-pre = Residualstrom vor der Schicht
map-resid-mid = Residualstrom nach der Attention
map-resid-post = Residualstrom nach der Schicht
map-norm-about = Teilt den Vektor durch die Wurzel seines mittleren Quadrats und multipliziert jede Zahl mit einem Gewicht
map-projection-about = Eine Matrix macht { $name } aus dem normierten Vektor: { $size } Zahlen für jeden von { $n } Köpfen
map-rotated = Nach Position gedreht
map-rotation = Drehen
map-rotation-about = RoPE dreht Paare von Zahlen um einen Winkel, der mit der Position wächst: So hängt ein Score davon ab, wie weit zwei Token auseinanderstehen
map-scores-about = Die Query jedes Tokens mit dem Key jedes anderen: ihr Skalarprodukt, geteilt durch die Wurzel der Kopfgröße. Ein Klick rechnet eines vor
map-mask = Maske
map-mask-about = Kein Token liest die nach ihm: Ihre Scores werden −∞
map-window-about = Kein Token liest die nach ihm, und keine, die mehr als { $n } Token zurückliegen: Ihre Scores werden −∞
map-softmax-about = Macht aus den Scores Anteile, die zusammen 100 % ergeben. Ein Klick rechnet eine Zeile vor
map-sum = Σ Anteil
    × V
map-sum-about = Addiert die Values aller gelesenen Token, jeden mal seinen Anteil. Ein Klick rechnet eine Zahl vor
map-z = Ausgabe der Köpfe
map-output-about = Addiert die Ausgaben der Köpfe, jede durch ihren eigenen Teil einer Matrix
map-into-head = { $name }, liest Keys und Values der Gruppe { $kv }: hineingehen
map-mlp-in = Normierte Eingabe des MLP
map-mlp-out = Ausgabe des MLP
map-gate-about = Das Tor: welche der inneren Zahlen durchkommen
map-up-about = Die inneren Zahlen
map-activation-about = Die Nichtlinearität, Zahl für Zahl
map-times-about = Jede innere Zahl mal ihr Tor
map-down-about = Zurück auf die Breite des Residualstroms
map-query = Query von „{ $token }“ ({ $n })
map-row = Zeile des Musters
map-token = Token
map-key = Key
map-share = Anteil
map-key-row = „{ $token }“ ({ $n }): Score { $score }, Anteil { $share }. Vorrechnen
map-others = die anderen { $n }
number-score = Score
number-score-hint = Das Skalarprodukt einer Query und eines Keys, Glied für Glied
number-softmax-hint = Von Scores zu Anteilen
number-sum = Gewichtete Summe
number-sum-hint = Eine Zahl der Ausgabe des Kopfes
number-norm-hint = Die Norm vor dem MLP
number-score-formula = Σ q · k = { $dot },  ÷ √{ $size } = { $score }
number-score-said = Die Query von „{ $token }“ mit dem Key von „{ $of }“, beide gedreht. Die Softmax macht daraus { $share }.
number-products = q × k
number-term = Dimension { $n }: { $q } × { $k } = { $product }
number-softmax-formula = Anteil = exp(Score − { $max }) ÷ { $sum }
number-softmax-said = Was „{ $token }“ aus seinen Scores mit { $n ->
    [one] einem Token
   *[other] { $n } Token
} macht. Erst wird der größte Score abgezogen, damit keine Exponentialzahl zu groß wird.
number-minus-max = − Max.
number-sum-formula = Σ Anteil × Value = { $sum }  (Dimension { $n }; das Modell hat { $recorded } berechnet)
number-dims-z = Ausgabe des Kopfes, Dimension für Dimension; klicke auf eine
number-dims = { $name }: Dimension { $n } ist gewählt
number-value = Value
number-product = Produkt
number-norm-formula = √(mittleres Quadrat { $square } + { $eps }) = { $root }
number-norm-said = RMSNorm von „{ $token }“ vor dem MLP der Schicht { $layer }: Alle { $n } Zahlen werden durch diese Wurzel geteilt, dann jede mit ihrem Gewicht multipliziert.
number-norm-before = Residualstrom; klicke auf eine Dimension
number-norm-after = Normiert, wie das Modell es berechnet hat
number-norm-dim = Dimension { $n }
number-norm-x = Residualstrom
number-norm-scaled = ÷ Wurzel
number-norm-weight = × Gewicht (aus dem, was das Modell berechnet hat)
number-norm-out = Normiert

# The lens
lens-under-way = Der Residualstrom wird gelesen…
lens-colours = Farbe
lens-probability = Wahrscheinlichkeit
lens-probability-about = kräftiger: Das beste Token ist wahrscheinlicher
lens-entropy = Entropie
lens-entropy-about = kräftiger: Die Wahl ist offener
lens-rank = Rang
lens-rank-about = kräftiger: Das nächste Token des Textes steht weiter oben
lens-row-embed = Embedding
lens-row-mid = L{ $layer } Attention
lens-row-post = L{ $layer } MLP
lens-reads = gelesen
lens-next = folgt im Text
lens-name = Logit-Linse: { $rows } Stellen im Modell, { $n } Positionen
lens-cell =
    { $row }
    Bestes: { $best } { $prob }
    Entropie: { $entropy }
    Als Nächstes im Text: { $target } { $target_prob }, Rang { $rank }
lens-target = { $token } hier
lens-target-about = Wie wahrscheinlich { $token }, das im Text auf das gewählte Token folgt, wäre, wenn das Modell in dieser Zeile anhielte, und sein Rang unter allen Token
lens-added = Hinzugefügt
lens-added-about = Euklidische Norm des Vektors, den Attention oder MLP beim gewählten Token zum Residualstrom hinzufügt
lens-residual = Residualstrom
lens-residual-about = Euklidische Norm des Residualstroms beim gewählten Token
lens-target-row = { $prob }, Rang { $rank }
lens-side-name = { $token } durch die Schichten. { $rows }

# Interventions
inside-presets = Ausprobieren
preset-copying = Abschreiben
preset-copying-what = Das Modell vervollständigt den Namen, den es gelesen hat: Quilla. Kopf 3 der Schicht 4 liest bei jedem Token das davor; ohne ihn findet das Modell die Stelle nicht, an der Qu stand, und schreibt Quick: ill fällt unter 1 %
preset-opposite = Gegenteil
preset-opposite-what = In Schicht 7 macht das MLP aus hot das Gegenteil cold. Ohne es ist hot wahrscheinlicher als cold
preset-first-mlp = Erstes MLP
preset-first-mlp-what = Das erste MLP schreibt in den Vektor jedes Tokens, womit die späteren Schichten arbeiten. Ohne es gehen sie in die Irre: Paris fällt unter 1 %
preset-direction = Von France nach Italy
preset-direction-what = Der Residualstrom am Ende von „The capital of Italy“ minus dem am Ende von „The capital of France“, nach Schicht 2 bei jedem Token addiert, macht aus Paris Rome. Am Regler siehst du, wann es kippt
preset-capital = France / Italy
preset-capital-what = Bis Schicht 4 trägt das Token des Landes selbst, was den Unterschied macht; in den Schichten 5 bis 7 wandert es zum letzten Token, und ab Schicht 8 ist alles dort
preset-puppy = Dog / cat
preset-puppy-what = In den Schichten 7 und 8 trägt die Attention dog zum letzten Token: Diese beiden Stellen bringen das meiste von puppy zurück
preset-name = Quilla / Quorra
preset-name-what = Die Köpfe 4 und 5 der Schicht 5 schreiben ab, was vorher auf Qu folgte: Kein anderer Kopf bringt so viel zurück
part-attention = L{ $layer } Attention
part-mlp = L{ $layer } MLP
part-layer = L{ $layer } ganz
part-residual = Residualstrom nach L{ $layer }
part-embed = Embeddings
edit-mean = { $part } = Mittel
edit-add = { $part } + { $strength } × eine Richtung
edit-replace = { $part } ersetzt
edit-from = { $change }, ab Position { $position }
edit-at = { $change }, nur an Position { $position }
interventions-layer = Schicht
interventions-head = Kopf
interventions-off = Abschalten
interventions-off-hint = Was dieser Teil hinzufügt, wird auf null gesetzt, und der Text wird noch einmal gelesen
interventions-direction = { $to } − { $from } nach L{ $layer } addieren
interventions-direction-hint = Addiert bei jedem Token die Differenz zweier Residualvektoren: den des letzten Tokens minus den des gewählten
interventions-direction-same = Wähle ein Token vor dem letzten: Die Richtung geht von dort zum letzten
interventions-from = Von
interventions-to = nach
interventions-text = ein Text
interventions-difference = Nach L{ $layer } addieren
interventions-difference-hint = Liest beide Texte, nimmt den Residualstrom nach dieser Schicht am letzten Token jedes Textes und addiert die Differenz bei jedem Token dieses Textes
interventions-difference-same = Tippe zwei Texte: Die Richtung führt vom Ende des ersten zum Ende des zweiten
interventions-direction-name = { $to } − { $from }
interventions-none = Das Modell läuft, wie es ist. Schalte einen Teil ab und sieh zu, was mit der Verteilung des nächsten Tokens geschieht
interventions-none-tried = Das Modell, wie es ist, ausprobiert an einem Schritt, der mit Änderungen entstand
interventions-generate = ◆ Mit dieser Änderung fortfahren
interventions-generate-plain = Ohne Änderungen fortfahren
interventions-generate-hint = Beginnt bei diesem Schritt einen Zweig, in dem das Modell in jedem Durchlauf so geändert ist. Seine Schritte tragen ein ◆, und Rückgängig nimmt ihn zurück
interventions-generate-nothing = Ändere zuerst etwas: Genau so ist dieser Schritt entstanden
interventions-made-with = ◆ Dieser Schritt entstand mit { $edits }
interventions-as-made = Wie er entstand
interventions-as-recorded = ◆ wie der Schritt entstand
interventions-as-tried = wie es hier eingestellt ist
interventions-all = jedes Token
interventions-all-hint = Die Änderung gilt an jeder Position und für jedes Token, das später entsteht
interventions-only = nur { $token }
interventions-only-hint = Die Änderung gilt nur an der gewählten Position des Kontextfensters und für kein Token, das später entsteht
interventions-remove = Diese Änderung zurücknehmen
interventions-clear = Alle zurücknehmen
interventions-strength = Stärke
interventions-scale = skaliert
interventions-scale-hint = Mit einem Faktor multipliziert; 0 schaltet ab
interventions-mean = Mittel
interventions-mean-hint = Durch das Mittel über den Text bis hierher ersetzt (mean ablation): Was bei jedem Token gleich ist, bleibt. Tokens, die später entstehen, bekommen dasselbe Mittel
interventions-factor-hint = 0 schaltet den Teil ab, 1 lässt ihn, wie er ist
interventions-replaced = durch das ersetzt, was ein anderer Text berechnet hat
interventions-effect-none = Hier siehst du, was eine Änderung mit dem nächsten Token macht: beide Verteilungen, Balken für Balken
interventions-effect-as-made = Alles, was hier zu sehen ist, stammt von diesem geänderten Modell. Ändere etwas oder nimm es zurück und sieh, was das mit diesem Schritt macht
interventions-apart = { $kl } KL-Divergenz, { $apart } der Wahrscheinlichkeit verschoben
interventions-apart-hint = Zwischen den Verteilungen des Modells ohne und mit den Änderungen, vor jedem Sampler
interventions-before = das Modell, wie es ist
interventions-after = ◆ mit den Änderungen
interventions-token = { $token }: { $first } { $before }, { $second } { $after }
interventions-ranks = Rang: { $first } { $before }, { $second } { $after }

# Attribution
attribution-under-way = Der Logit wird zerlegt…
attribution-logit-of = Logit von
attribution-minus = minus den von
attribution-nothing = nichts
attribution-follow = Dem Text folgen
attribution-sum = Embedding { $embed } + Attention { $attention } + MLPs { $mlps } = { $sum }; Logit des Modells: { $logit }
attribution-sum-hint = Die letzte Norm teilt alle Teile durch dieselbe Zahl. Sie wird auf dem Wert dieses Durchgangs festgehalten, damit die Teile zusammen den Logit ergeben
attribution-strongest = Am stärksten
attribution-attention = Attention
attribution-mlp = MLP
attribution-embed = Embedding
attribution-head = { $head } trug { $added } zum Logit bei
attribution-name = Teile des Logits, der stärkste zuerst: { $parts }

# Patching
charts-patching = Patching
charts-patching-hint = Setzt, was dieser Text berechnet hat, Stelle für Stelle in den Lauf eines anderen Textes ein
patching-about = Wähle oben ein Token und eines, das es ersetzt, etwa Italy für France, oder tippe einen zweiten Prompt: Dann zeigt die Karte, wo das Modell aufbewahrt, was den Unterschied macht
patching-under-way = Stelle für Stelle wird eingesetzt…
patching-other-text = Im anderen Text
patching-swap = Im anderen Text wird { $token } zu
patching-search = Text oder Id eines Tokens
patching-swap-for = Durch { $token } ersetzen
patching-clear = Anderer Text
patching-more = und { $n } weitere
patching-typed = oder tippe den ganzen zweiten Prompt:
patching-typed-hint = so viele Tokens wie der erste
patching-use = Verwenden
patching-counts = Der erste Prompt hat { $prompt } Tokens, dieser { $typed }. Ergänze oder streiche Wörter, bis es gleich viele sind: Verglichen wird Position für Position
patching-same = Es ist derselbe Prompt. Ändere ein Wort
patching-slid = Das Fenster ist über den Anfang des ersten Prompts geglitten. Wähle stattdessen oben ein Token
patching-residual = Residualstrom
patching-residual-hint = Der Residualstrom nach jeder Schicht, jeweils bei einem Token
patching-attention = Attention
patching-attention-hint = Was Attention in jeder Schicht hinzufügt, jeweils bei einem Token
patching-mlp = MLP
patching-mlp-hint = Was das MLP in jeder Schicht hinzufügt, jeweils bei einem Token
patching-heads = Köpfe
patching-heads-hint = Was ein Kopf ausgibt, bei allen Token
patching-answers = { $clean } gegen { $corrupted }: dieser Text { $clean_diff }, der andere Text { $corrupted_diff }
patching-answers-hint = Der Logit von { $clean }, der Antwort dieses Textes, minus den von { $corrupted }, der Antwort des anderen
patching-scale = 0 %: Die Antwort des anderen Textes bleibt; 100 %: { $clean } ist zurück
patching-progress = { $done } von { $n } Stellen
patching-place = Die Zahlen dieses Textes bei { $place }, im Lauf des anderen Textes
patching-at = { $part } bei { $token }
patching-cell = { $place }: { $restored } des Unterschieds kommen zurück
patching-map-name = Karte mit { $layers } Schichten und { $n } Spalten: wie viel vom Unterschied zurückkommt
patching-this-text = dieser Text
patching-patched = ◆ der andere Text, mit Einsatz

# Embeddings.
numbers-legend = Farben von { $least } bis { $most }
embeddings-vector = Vektor
embeddings-vector-hint = Die Zeile von Zahlen, die eine Id nachschlägt, und die Token, deren Zeilen am nächsten liegen
embeddings-plane = Ebene
embeddings-plane-hint = Token dort, wo ihre Vektoren liegen, auf der Ebene, in der sie sich am meisten unterscheiden
embeddings-positions = Positionen
embeddings-positions-hint = Wie die Position Queries und Keys dreht und wie ein Score mit dem Abstand fällt
embeddings-search = Beliebiges Token: Text oder Id
embeddings-search-name = Ein Token des Vokabulars suchen
embeddings-none-found = Kein Token des Vokabulars enthält das
embeddings-token = { $token }, Id { $id }
embeddings-asked = Die Embedding-Matrix wird gelesen…
embeddings-look-up = Seinen Vektor zeigen
embeddings-add = Den Vektor von { $token } addieren
embeddings-subtract = Den Vektor von { $token } abziehen
embeddings-row-of = { $n_terms ->
    [one] Der Vektor von
   *[other] Die Summe
}
embeddings-id = Id { $id }
embeddings-keep = Mit diesem Vektor eine Summe beginnen: Suche dann ein weiteres Token und addiere es oder zieh es ab
embeddings-leave-out = Weglassen
embeddings-strip = { $n } Zahlen, die größte vom Betrag { $most }
embeddings-number = Dimension { $n }: { $value }
embeddings-nearest = Die nächsten von { $n } Token
embeddings-cosine = Nach dem Kosinus des Winkels zwischen zwei Vektoren: 1 zeigt in dieselbe Richtung, 0 hat nichts gemeinsam, −1 zeigt in die Gegenrichtung. Token der Summe selbst sind weggelassen
embeddings-neighbour = { $token }, Kosinus { $cosine }
embeddings-of-text = aus dem Text
embeddings-added = von dir hinzugefügt
embeddings-place = Auf die Ebene setzen
embeddings-take-off = Von der Ebene nehmen
embeddings-point = { $token }: { $x }; { $y }
embeddings-axis = Achse { $n }: { $share } der Varianz
embeddings-plane-name = { $n } Token auf einer Ebene; die Achsen erklären { $first } und { $second } der Varianz
embeddings-pca = Hauptkomponenten der Vektoren dieser Token.
embeddings-pca-hint = Die zwei Richtungen, in denen sich diese Vektoren am meisten unterscheiden. Was hier auseinanderliegt, unterscheidet sich; was beisammenliegt, kann sich in den übrigen Richtungen trotzdem unterscheiden
embeddings-some-unnamed = { $n ->
    [one] Für den Namen eines Tokens ist kein Platz: Zeig darauf.
   *[other] Für die Namen von { $n } Token ist kein Platz: Zeig darauf.
}
embeddings-layer = L
embeddings-head = H
embeddings-query-of = Query von
embeddings-key-of = Key von
embeddings-key-choice = Key von { $token }
embeddings-distance = Abstand
embeddings-distance-hint = Um wie viele Positionen der Key vor der Query liegt. Ihn zu verschieben ändert nichts am Lauf: Es zeigt, welchen Score dieselben zwei Vektoren anderswo hätten
embeddings-real-distance = Hier: { $n }
embeddings-clocks = { $n } Zahlenpaare drehen sich mit der Position, jedes mit eigenem Tempo; darunter steht, nach wie vielen Positionen es einmal herum ist
embeddings-clock = Zahlen { $n } und { $other }: Query um { $query }° gedreht, Key um { $key }°. Einmal herum in { $period } Positionen
embeddings-score = L{ $layer } H{ $head }: im Abstand { $n } haben diese Query und dieser Key den Score { $score }
embeddings-score-at = Abstand { $n }: { $score }
embeddings-distance-axis = Abstand in Positionen
embeddings-score-axis = Score
embeddings-curve = Der Score in Abständen von 0 bis { $n }
