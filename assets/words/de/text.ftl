# Der Text: seine Tokens, ihre Farben und Zahlen, seine Seite für den Browser, und wo die Erzeugung steht.

# Über dem Text
text-tokens = Tokens
text-tokens-hint = Jedes Token als Kästchen mit seiner ID, Leerzeichen sichtbar
text-reading = Text
text-reading-hint = Der Text, wie man ihn liest
text-n-prompt = ■ { $n } aus dem Prompt
text-n-generated = ■ { $n } erzeugt
text-window = { $n } / { $most } Tokens
text-window-hint = Bisherige Tokens und Größe des Kontextfensters
text-first-forgotten = { $n ->
    [one] Das erste Token ist vergessen: Es passt nicht mehr ins Kontextfenster
   *[other] Die ersten { $n } Tokens sind vergessen: Sie passen nicht mehr ins Kontextfenster
  }
text-branch-hint = Der gezeigte Zweig ({ $keys }); „Zweige“ unter „Erkunden“ zeichnet alle

# Die Farben
text-tint = Farbe nach
text-tint-probability = Wahrscheinlichkeit
text-tint-rank = Rang
text-tint-entropy = Entropie
text-tint-surprisal = Überraschung
text-tint-hint = Kräftige Farbe: { $means }
text-strong-probability = das Modell hielt das Token für wahrscheinlich
text-strong-rank = das Token gehörte zur ersten Wahl des Modells
text-strong-entropy = das Modell hielt hier viele Tokens für möglich
text-strong-surprisal = das Modell hat das Token nicht erwartet

# An der Stelle des Textes
text-no-prompt = Dieses Modell stellt dem Text kein Starttoken voran und braucht daher einen Prompt: Gib oben einen ein

# Ein Token
text-name = Text: { $text }
text-chip-prompt = Prompt-Token { $n }, { $token }, ID { $id }
text-chip = Token { $n }, { $token }, { $prob }
text-chip-changed = { $name }, mit geändertem Modell
text-read-changed = ◆ Diese Zahlen hat ein geändertes Modell berechnet: { $edits }
text-changed = ◆ Entstand mit geändertem Modell: { $edits }
text-of-prompt = ID { $id } · Position { $position } · aus dem Prompt
text-of-step = ID { $id } · Position { $position } · Schritt { $step }
text-special = Ein Sondertoken: Es gliedert den Text und gehört nicht zu ihm
text-own-prob = { $prob } in der Verteilung des Modells, Rang { $rank }
text-final-prob = { $prob } nach den Samplern
text-greedy = Greedy gewählt
text-drawn = Gezogen mit u = { $u }
text-take-no-logits = Die Zahlen dieses Tokens liegen nicht mehr vor: „Nachspielen“ berechnet sie neu; oder nimm eins, das eine Zeile hat
text-taken = Von dir gewählt: Hier beginnt ein Zweig
text-go = Klicke, um zu diesem Schritt zu gehen
text-forgotten = Vergessen: Das Modell sieht dieses Token nicht mehr
text-chip-forgotten = { $name }, vergessen
text-prompt-prob = Das Modell gab ihm { $prob }, Rang { $rank }
text-surprisal = Überraschung { $surprisal }, Entropie der Wahl { $entropy }

# Der Text in Zahlen
text-nothing-read = Noch wurde nichts gelesen
text-perplexity-prompt = Prompt: Perplexität
text-perplexity-generated = Erzeugt: Perplexität
text-perplexity-hint = exp des Mittels von −ln p über die Tokens, jedes im Modell selbst bei T = 1: so unsicher, als wählte es unter so vielen gleich wahrscheinlichen Tokens
text-log-prob = log p des Ganzen
text-least-expected = Am wenigsten erwartete Tokens
text-least-expected-token = Am wenigsten erwartet: Token { $n }, { $token }, { $prob }
text-prob-rank = { $prob } · Rang { $rank }
text-prob-rank-hint = { $bits } Überraschung an Position { $position }; das Modell erwartete { $best }

# Die Seite für den Browser
text-page-token = ID { $id }
text-page-numbers = { $prob }, Rang { $rank }, Entropie { $entropy }, Überraschung { $surprisal }
text-page-foot = Farbe nach { $tint }; kräftig heißt: { $means }. Unterstrichen: der Prompt. Modell: { $model }. Erstellt mit Tokenscope.
text-page-changed = Linie über einem Token: mit geändertem Modell erzeugt.

# Was sich ändern würde
text-what-if-no-logits = die Logits dieses Schritts liegen nicht mehr vor: „Nachspielen“ berechnet sie neu, dann siehst du, was sich ändern würde

# Wo die Erzeugung steht
status-engine-dead = Die Engine ist stehen geblieben
status-loading = Das Modell wird geladen …
status-no-model = Kein Modell: Wähle eines
status-ready = Bereit: Drücke „Schritt“
status-other-model = Mit { $model } erzeugt, das nicht geladen ist: Lade es, um fortzufahren, oder drücke „Neustart“
status-replaying = Nachspielen: { $made } von { $n } Tokens
status-working = Es wird gerechnet …
status-tokens = { $n ->
    [one] 1 Token
   *[other] { $n } Tokens
  }
status-ended-eos = Nach { $tokens } zu Ende: Das Modell wählte sein Textende-Token
status-ended-max = Nach { $tokens } zu Ende: Als Höchstzahl ist { $max } eingestellt
status-ended-full = Nach { $tokens } zu Ende: Das Kontextfenster ist voll
status-running = Läuft: bisher { $tokens }
status-stepping = Ein Token wird erzeugt …
status-stopped = Von dir gestoppt nach { $tokens }
status-tokenized = Der Prompt ist in Tokens zerlegt: Drücke „Schritt“
status-paused = Pause nach { $tokens }
