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
embeddings-score-axis = Score vor dem Softmax
embeddings-curve = Der Score in Abständen von 0 bis { $n }
