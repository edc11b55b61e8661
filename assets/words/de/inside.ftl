# What the room Inside says.

room-inside = Innen
keys-inside-room = Im Modell: Token, Embeddings, Attention, Schichten
charts-tokens = Token
charts-tokens-hint = Wie aus dem Prompt Token wurden
charts-embeddings = Embeddings
charts-embeddings-hint = Wie aus Ids Vektoren werden und welche Vektoren einander nahe sind
charts-map = Karte
charts-map-hint = Das Modell, Schicht für Schicht, mit dem, was hindurchfließt
charts-attention = Attention
charts-attention-hint = Welche Token jedes Token liest
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
inside-look = Text noch einmal lesen
inside-token = Token { $n }: { $token }

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
part-attention = L{ $layer } Attention
part-mlp = L{ $layer } MLP
part-layer = L{ $layer } ganz
part-residual = Residualstrom nach L{ $layer }
part-embed = Embeddings
interventions-layer = Schicht
interventions-head = Kopf
interventions-off = Abschalten
interventions-off-hint = Was dieser Teil hinzufügt, wird auf null gesetzt, und der Text wird noch einmal gelesen
interventions-direction = { $to } − { $from } nach L{ $layer } addieren
interventions-direction-hint = Addiert bei jedem Token die Differenz zweier Residualvektoren: den des letzten Tokens minus den des gewählten
interventions-none = Das Modell läuft, wie es ist. Schalte einen Teil ab und sieh zu, was mit der Verteilung des nächsten Tokens geschieht
interventions-all = jedes Token
interventions-all-hint = Die Änderung gilt an jeder Position
interventions-only = nur { $token }
interventions-only-hint = Die Änderung gilt nur an der gewählten Position
interventions-remove = Diese Änderung zurücknehmen
interventions-clear = Alle zurücknehmen
interventions-strength = Stärke
interventions-scale = skaliert
interventions-scale-hint = Mit einem Faktor multipliziert; 0 schaltet ab
interventions-mean = Mittel
interventions-mean-hint = Durch das Mittel über den Text ersetzt (mean ablation): Was bei jedem Token gleich ist, bleibt
interventions-factor-hint = 0 schaltet den Teil ab, 1 lässt ihn, wie er ist
interventions-replaced = durch das ersetzt, was ein anderer Text berechnet hat
interventions-effect-none = Hier siehst du, was eine Änderung mit dem nächsten Token macht: beide Verteilungen, Balken für Balken
interventions-apart = { $kl } KL-Divergenz, { $apart } der Wahrscheinlichkeit verschoben
interventions-apart-hint = Zwischen den Verteilungen des Modells ohne und mit den Änderungen, vor jedem Sampler
interventions-before = das Modell, wie es ist
interventions-after = ◆ mit den Änderungen
interventions-token = { $token }: { $before } ohne, { $after } mit den Änderungen
interventions-ranks = Rang { $before } ohne, { $after } mit den Änderungen

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
patching-about = Wähle oben ein Token und ersetze es, etwa France durch Italy: Dann zeigt die Karte, wo das Modell aufbewahrt, was den Unterschied macht
patching-under-way = Stelle für Stelle wird eingesetzt…
patching-other-text = Im anderen Text
patching-swap = Im anderen Text wird { $token } zu
patching-search = Text oder Id eines Tokens
patching-swap-for = Durch { $token } ersetzen
patching-clear = Anderes Token
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
