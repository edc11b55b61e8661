# Die Verteilung des nächsten Tokens und ihre Bilder.

# Was über den Bildern steht
distribution-question = Was kommt als Nächstes?
distribution-press-step = Drücke „Schritt“: Das Modell liest den Prompt einmal und gibt jedem Token seines Vokabulars eine Wahrscheinlichkeit
distribution-examples = Oder beginne mit einem von diesen
distribution-step = Schritt { $n }
distribution-changed = ◆ Modell geändert
distribution-prefill = { $n ->
    [one] Prefill: 1 Prompt-Token eingegeben
   *[other] Prefill: { $n } Prompt-Tokens auf einmal eingegeben
    }
distribution-prefill-parts = Prefill: { $n } Prompt-Tokens eingegeben, je { $most } auf einmal
distribution-decode = Decode: ein Token an Position { $position } eingegeben
distribution-refed = Decode: { $n } Tokens ab Position { $position } auf einmal eingegeben, die nicht im Cache waren
distribution-slid = Decode: Fenster weitergerückt, { $n } Tokens neu eingegeben
distribution-what-if = ◆ Was wäre, wenn: Dieses Token entstand mit anderen Einstellungen
distribution-what-if-hint = Die Balken zeigen, was die jetzigen Einstellungen aus diesem Schritt machen würden. Die Einstellungen gelten ab dem nächsten Token
distribution-took = Schritt: { $took }
distribution-took-hint = Die Zeit, die dieser Schritt brauchte
distribution-no-what-if = ◆ Kein „Was wäre, wenn“: { $problem }
distribution-replay = Nachspielen
distribution-replay-hint = Macht alle Schritte dieses Zweigs noch einmal, damit ihre Logits wieder da sind

# Das Token in der größten Schrift
hero-logits = { $n } Logits, eines für jedes Token des Vokabulars
hero-probabilities = { $n } Wahrscheinlichkeiten mit der Summe 100 %, Entropie { $entropy }
hero-left = { $n_left ->
    [one] 1 von { $n } Tokens übrig, Entropie { $before } → { $after }
   *[other] { $left } von { $n } Tokens übrig, Entropie { $before } → { $after }
    }
hero-chosen = Gewähltes Token { $token }
hero-greedy = greedy gewählt
hero-drawn = mit u = { $u } gezogen
hero-forced = von dir gewählt
hero-would = würde { $how }
hero-rank = { $how } · Rang { $rank } von { $n }

# Die Räume der Mitte
room-step = Dieser Schritt
room-explore = Erkunden
room-explore-empty = Drücke zuerst Schritt: Was sonst hätte kommen können, wird von einem Token aus erkundet

# Welches Bild, sein Maßstab und die Suche
charts-list = Liste
charts-list-hint = Eine Zeile je Kandidat mit allen seinen Zahlen
charts-bars = Balken
charts-bars-hint = Ein Balken je Kandidat, nach Rang
charts-cumulative = Kumulativ
charts-cumulative-hint = Die laufende Summe der Wahrscheinlichkeiten nach Rang
charts-draws = Ziehungen
charts-draws-hint = Dieser Schritt 1000-mal gezogen: Kommt jedes Token so oft, wie es sollte?
charts-rollouts = Rollouts
charts-rollouts-hint = Viele Fortsetzungen ab diesem Schritt und der Baum, den sie bilden
charts-beams = Beams
charts-beams-hint = Beam-Suche: die wahrscheinlichsten Fortsetzungen ab diesem Schritt
charts-branches = Zweige
charts-branches-hint = Was gezogen wurde und was du stattdessen gewählt hast
charts-compare = Vergleich
charts-compare-hint = Dieser Lauf neben einem anderen: Texte und Verteilungen
charts-linear = Linear
charts-linear-hint = Längen im richtigen Verhältnis
charts-log = Log
charts-log-hint = Jedes Sechstel der Länge ist ein Faktor zehn, hinab bis 0,0001 %
charts-log-ranks-hint = Jede Zehnerpotenz des Rangs ist gleich weit von der nächsten entfernt
charts-search = Token oder ID
charts-search-name = Token suchen
charts-search-stop = Suche beenden

# Die Liste der Kandidaten
candidates-no-logits = Die Logits dieses Schritts liegen nicht mehr vor, und nur sie sagen, wo jedes Token steht: „Nachspielen“ berechnet sie neu
candidates-searching = Sucht …
candidates-none = Kein Token des Vokabulars hat diesen Text oder diese ID
candidates-rank = Rang
candidates-token = Token
candidates-logit = Logit
candidates-id = ID
candidates-model = Modell, T = 1
candidates-after = nach Samplern
candidates-dropped = verworfen: { $stage }
candidates-would = würde gezogen
candidates-would-take = würde genommen
candidates-taken = genommen
candidates-drawn = gezogen
candidates-row = Rang { $rank }, { $token }, { $prob } laut Modell, { $after } nach den Samplern, { $fate }
candidates-take = Klicke, um stattdessen dieses Token zu nehmen: Der Text geht von hier als Zweig weiter
candidates-take-dropped = Klicke, um dieses Token trotzdem zu nehmen: Der Text geht von hier als Zweig weiter
candidates-chip = Kandidat { $rank } { $token }
candidates-more = … { $n } weitere
candidates-more-after = { $prob } nach den Samplern
candidates-more-hint = Alle Tokens ohne eigene Zeile, genau gezählt. Du kannst nach jedem von ihnen suchen

# Balken nach Rang und die laufende Summe
plot-model = das Modell, T = 1
plot-after = nach den Samplern
plot-added-up = was Top-p zusammenzählte
plot-bars = Balken der Verteilung nach Rang
plot-cumulative = Kumulative Wahrscheinlichkeit nach Rang
plot-top-p = Top-p { $p }
plot-left = { $n_left ->
    [one] 1 Token übrig
   *[other] { $n } Tokens übrig
    }
plot-ranks = Rang (ziehe, um mehr zu sehen)

# Die Zufallszahl auf der Strecke der Kandidaten
strip-title = Die Ziehung
strip-greedy = Greedy: Nichts wird gezogen, „{ $token }“ ist das beste
strip-coin = u = { $u } fällt in [{ $low }; { $high }), das Intervall von { $token }
strip-forced = Nichts wurde gezogen: Du hast { $token } gewählt
strip-hint = Die Kandidaten teilen sich die Strecke von 0 bis 1 nach ihrer Wahrscheinlichkeit nach den Samplern; eine Zufallszahl u trifft einen davon
strip-name-greedy = Die Ziehung: greedy, { $token }
strip-name-coin = Die Ziehung: u { $u } in { $low } bis { $high }, { $token }
strip-name-forced = Die Ziehung: keine, { $token } hast du gewählt
strip-interval = { $token }: { $prob } von { $low } bis { $high }
strip-small = Kandidaten, die nicht einzeln gezeichnet sind

# Der Schritt viele Male gezogen
draws-no-logits = Die Logits dieses Schritts liegen nicht mehr vor: „Nachspielen“ berechnet sie neu
draws-drawing = Zieht …
draws-one-left = { $n } Ziehungen: Ein Token ist übrig, es kommt also immer
draws-too-few = { $n } Ziehungen: Für χ² sind zu wenige Tokens oft genug zu erwarten
draws-fit = { $degrees ->
    [one] { $n } Ziehungen: χ² = { $chi } bei 1 Freiheitsgrad, p = { $p }
   *[other] { $n } Ziehungen: χ² = { $chi } bei { $degrees } Freiheitsgraden, p = { $p }
    }
draws-fit-hint = χ² summiert (Anzahl − erwartet)² / erwartet; p sagt, wie oft ehrliche Ziehungen mindestens so weit abweichen. Tokens, von denen weniger als fünf erwartet werden, zählen zusammen
draws-more = { $n_more ->
    [one] 1 weiteres Token
   *[other] { $n } weitere Tokens
    }
draws-bar = { $token }: { $n }-mal gezogen, { $expected } erwartet
draws-axis = Rang nach den Samplern; gefüllt: gezogen, Umriss: erwartet
draws-axis-more = Rang nach den Samplern; gefüllt: gezogen, Umriss: erwartet; rechts: { $n } weitere
draws-came = gezogen
draws-expected = erwartet
draws-count = wie oft gezogen
draws-name = Wie oft jedes Token in { $n } Ziehungen kam: { $best }

# Viele Fortsetzungen und ihr Baum
rollouts-intro = „Rollouts starten“ zieht den Rest des Textes ab diesem Schritt viele Male. Fortsetzungen, die gleich beginnen, teilen sich eine Zelle: Je mehr es sind, desto höher ist sie
rollouts-running = Rollouts laufen …
rollouts-other-samplers = Gezogen mit den Samplern von vorher: Drücke „Rollouts starten“ für die jetzigen
rollouts-elsewhere = Diese begannen bei Schritt { $n }: Drücke „Rollouts starten“ für den gezeigten Schritt
rollouts-n = Fortsetzungen
rollouts-length = mit höchstens
rollouts-tokens = {" "}Tokens
rollouts-stop = Rollouts stoppen
rollouts-start = Rollouts starten
rollouts-start-hint = Mit den Samplern, wie sie eingestellt sind; Fortsetzung i ist, was der Seed plus i ergibt
rollouts-done = { $done } von { $n } fertig · { $drawn } Tokens gezogen, { $fed } eingegeben
rollouts-done-hint = Was mehrere Fortsetzungen am Anfang gemeinsam haben, geht nur einmal durch das Modell
rollouts-through = in { $n } von { $all } Fortsetzungen
rollouts-node = Fortsetzung, Token { $n }, { $token }: { $came }, { $prob }
rollouts-node-hint = { $token }: { $came }; { $prob } im Modell selbst, log p bis hier { $log_prob }. Klicke, um damit weiterzumachen

# Beam-Suche
beams-intro = Die Suche führt mehrere Texte zugleich fort, die Beams, und behält bei jedem Schritt die wahrscheinlichsten. Sie nutzt die Verteilung des Modells selbst: kein Sampler und kein Zufall
beams-searching = Sucht …
beams-elsewhere = Diese Suche begann bei Schritt { $n }: Drücke „Suchen“ für den gezeigten Schritt
beams-width = Beams
beams-penalty = Längenstrafe
beams-penalty-hint = Die Wertung eines fertigen Beams ist log p / Länge ^ Strafe: 0 bevorzugt kurze Texte, über 0 längere
beams-length = höchstens
beams-tokens = {" "}Tokens
beams-stop = Suche stoppen
beams-start = Suchen
beams-start-hint = Ab diesem Schritt suchen
beams-done = { $steps ->
    [one] nach 1 Schritt beendet · { $finished } fertig · log p in Nat
   *[other] nach { $steps } Schritten beendet · { $finished } fertig · log p in Nat
    }
beams-so-far = { $steps ->
    [one] sucht, nach 1 Schritt · { $finished } fertig · log p in Nat
   *[other] sucht, nach { $steps } Schritten · { $finished } fertig · log p in Nat
    }
beams-stopped = { $steps ->
    [one] nach 1 Schritt gestoppt · { $finished } fertig · log p in Nat
   *[other] nach { $steps } Schritten gestoppt · { $finished } fertig · log p in Nat
    }
beams-keep = Behalten
beams-keep-hint = Mit diesem Beam weitermachen
beams-keep-name = Fertigen Beam { $n } behalten
beams-score = Wertung { $score } · log p { $log_prob }
beams-score-hint = log p / { $n } ^ Längenstrafe; log p ist der natürliche Logarithmus der gemeinsamen Wahrscheinlichkeit
beams-token = Token { $n }
beams-kept = behalten
beams-finished = fertig
beams-dropped = verworfen
beams-cell = Beam bei Token { $n }, { $fate } { $row }: { $token }, log p { $log_prob }
beams-cell-hint = { $fate }: { $prob } nach seinem Beam, log p { $log_prob } zusammen
beams-cell-click = Klicke, um damit weiterzumachen

softmax-divided = ÷ T = { $t }
softmax-shifted = − max
softmax-exp = exp
softmax-prob = ÷ Σ = Wahrsch.
softmax-own = bei T = 1
softmax-logit-hint = Was das Modell diesem Token gab: irgendeine Zahl. Es kommt nur auf die Differenzen zwischen Logits an
softmax-divided-hint = Zuerst kommt die Temperatur: Jedes Logit wird durch T geteilt. Über 1 schrumpfen die Differenzen, unter 1 wachsen sie
softmax-shifted-hint = Von allen wird das größte Logit abgezogen. Das ändert keine Wahrscheinlichkeit und bewahrt exp davor, über das hinauszuwachsen, was ein Computer darstellen kann
softmax-exp-hint = e hoch diese Zahl: nie negativ, 1 für das beste, und jede Einheit weniger teilt es durch 2,718…
softmax-prob-hint = exp geteilt durch die Summe aller: Zusammen sind es 100 %
softmax-own-hint = Was die eigene Verteilung des Modells sagt, ohne Temperatur
softmax-max-hint = Das größte von { $n } Logits
softmax-sum-hint = Alle { $n } Potenzen von e zusammengezählt, auch die ohne eigene Zeile
softmax-over = über { $n } Token
softmax-row = Rang { $rank }: { $token }, Logit { $logit }, minus Maximum { $shifted }, exp { $exp }, Wahrscheinlichkeit { $prob }
softmax-tail = { $name }: exp { $exp }, Wahrscheinlichkeit { $prob }
softmax-tail-hint = Alle Tokens ohne eigene Zeile, genau summiert
