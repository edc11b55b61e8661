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
