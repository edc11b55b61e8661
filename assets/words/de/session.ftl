# Die Sitzung und ihre Dateien, zwei Läufe nebeneinander, die Zweige, und was über Arbeiten am Modell gesagt wird.

# Das Sitzungsmenü
session-menu = Sitzung ▾
session-menu-hint = Speichern, öffnen, exportieren, nachspielen
session-open = Öffnen …
session-open-last = Letzte Sitzung öffnen
session-open-last-hint = Was offen war, als das Programm zuletzt beendet wurde
session-open-last-other = Letzte Sitzung eines anderen Fensters öffnen
session-open-last-other-hint = Was offen war, als ein anderes Fenster geschlossen wurde
session-open-before = Sitzung davor öffnen
session-open-before-hint = Was offen war, bis ein anderer Text begonnen oder geöffnet wurde
session-save = Speichern
session-save-as = Speichern als …
session-save-as-hint = In eine andere Datei
session-json = Schritte als JSON …
session-json-hint = Alle Zahlen des gezeigten Zweigs
session-csv = Schritte als CSV …
session-csv-hint = Eine Zeile je Kandidat und Schritt
session-html = Text als HTML …
session-html-hint = Der gezeigte Text mit seinen Farben
session-png = Bild als PNG
session-copy-link = Link kopieren
session-copy-link-hint = Prompt, Sampler und Seed als Zeile für `tokenscope --open`
session-copy-scene = Als Lektionsszene kopieren
session-copy-scene-hint = Was das Fenster in diesen Zustand bringt, als Aufbau einer Lektionsszene
session-replay = Nachspielen
session-replay-hint = Rechnet alle Schritte des gezeigten Zweigs noch einmal; so sind ihre Logits wieder da

# Der Dialog für eine Datei
session-save-title = Speichern: { $what }
session-choose-place = Ort wählen …
session-save-path = Zieldatei
session-save-path-hint = Pfad der Datei mit der Endung .{ $ending }
session-note-session = Prompt, Einstellungen, alle Zweige und Schritte; öffnet sich auch ohne das Modell. Rohe Logits werden nicht gespeichert
session-note-steps = Der gezeigte Zweig, jeder Schritt mit allen aufgezeichneten Kandidaten
session-note-text = Der Text des gezeigten Zweigs, gefärbt wie hier; öffnet sich in jedem Browser
session-note-picture = Wie auf dem Bildschirm
session-open-title = Sitzung öffnen
session-open-verb = Öffnen
session-choose-file = Datei wählen …
session-open-path = Datei oder Link
session-open-path-hint = Pfad einer .tokenscope-Datei oder tokenscope:…
session-open-note = Was jetzt offen ist, bleibt erhalten, und „Sitzung davor öffnen“ holt es zurück; eine Datei lässt sich auch auf das Fenster ziehen

# Was gespeichert werden kann
session-part-window = Fenster
session-part-text = Text
session-part-distribution = Verteilung
session-part-inspector = Inspektor
session-part-transport = Schleife und Steuerung
session-export-session = Sitzung
session-export-json = Schritte als JSON
session-export-csv = Schritte als CSV
session-export-html = Text mit seinen Farben als HTML
session-export-png = { $part } als PNG

# Was aus einer Datei oder einem Link wurde
session-nothing = es gibt noch nichts zu speichern: Erzeuge zuerst ein Token
session-link-model = das wurde mit dem Modell { $wanted } kopiert; geladen ist { $loaded }
session-saved = Gespeichert: { $path }
session-copied-link = Kopiert: Prompt, Sampler und Seed als Zeile für `tokenscope --open`
session-copied-link-changed = Kopiert: Prompt, Sampler und Seed als Zeile für `tokenscope --open`. Dass in diesem Zweig das Modell geändert wurde, kann sie nicht sagen: Sichere dafür die Sitzung
session-copied-scene = Kopiert: dieser Zustand als Szene, für den Kopf einer Lektionsdatei
session-opened = Geöffnet
session-is-back = Die Sitzung ist wieder da
session-steps = { $n ->
    [one] 1 Schritt
   *[other] { $n } Schritte
  }
session-report = { $what }: { $steps }; { $hint }
session-problems = { $all }; { $next }
session-rest = die Datei bleibt, wie sie war, in { $path }
session-no-logits = rohe Logits werden nicht gespeichert: „Nachspielen“ berechnet sie neu
session-other-model = mit { $model } erzeugt, das nicht geladen ist: Ansehen kannst du sie, fortsetzen erst mit diesem Modell

# Zwei Läufe nebeneinander
compare-empty = Hefte diesen Lauf an, ändere dann Sampler, Seed oder Modell und lass den Prompt noch einmal laufen; oder wähle einen anderen Zweig. Hier stehen dann beide nebeneinander
compare-no-step = { $name } hat keinen Schritt { $step }
compare-no-logits-of = Die Logits dieses Schritts von „{ $name }“ liegen nicht mehr vor: Zeig diesen Lauf wieder, notfalls aus seiner Datei, spiel ihn nach und hefte ihn wieder an
compare-no-logits = Die Logits dieses Schritts liegen nicht mehr vor: „Nachspielen“ berechnet sie neu
compare-busy = Wird verglichen …
compare-other-tokens = die beiden Modelle haben verschiedene Tokens, daher lässt sich nichts vergleichen
compare-other-prompts = die beiden Läufe haben verschiedene Prompts
compare-nothing-pinned = noch nichts angeheftet
compare-branch-gone = ein gelöschter Zweig
compare-with-hint = Womit der gezeigte Zweig verglichen wird: { $name }
compare-shown-hint = Der gezeigte Zweig
compare-pin = Lauf anheften
compare-pin-hint = Bleibt als A stehen, was immer du danach änderst
compare-beside = Anheften und neu starten ▾
compare-beside-hint = Diesen Lauf als A behalten und denselben Prompt mit anderen Einstellungen als B laufen lassen
compare-beside-seed = Mit Seed { $seed }
compare-beside-model = Mit anderem Modell …
compare-beside-model-hint = Eines mit denselben Tokens; danach neu laufen lassen
compare-beside-preset = Mit „{ $name }“
compare-no-sampler = kein Sampler
compare-pinned-name = { $branch }, Seed { $seed }, { $settings } (angeheftet)
compare-pinned-seedless = { $branch }, { $settings } (angeheftet)
compare-both = beiden
compare-token = Verglichenes Token { $n } von { $side }: { $token }, { $prob }
compare-token-hint = { $token }: { $prob } im eigenen Modell selbst
compare-step = Schritt { $step }: { $before }
compare-behind-same = hinter demselben Text
compare-behind-others = die Texte trennen sich bei Token { $n }, A und B folgen also auf verschiedene Texte
compare-moved = { $moved ->
    [one] · 1 der { $n } Tokens unten hat einen anderen Rang
   *[other] · { $moved } der { $n } Tokens unten haben einen anderen Rang
    }
compare-raw = Modelle selbst:
compare-last = nach den Samplern:
compare-distance = KL(A, B) = { $ab }   KL(B, A) = { $ba }   { $apart } der Ziehungen müssen abweichen
compare-distance-hint = Kullback-Leibler-Divergenz KL(A, B) = Σ a log₂ (a / b) über das ganze Vokabular; unendlich, wo die andere Seite ein Token ausschließt. Von den Ziehungen muss die Hälfte von Σ |a − b| abweichen
compare-column-token = Token
compare-column-bar = nach den Samplern: B gefüllt, A umrandet bis zum senkrechten Strich
compare-column-ranks = Modell-Rang, A → B
compare-candidate = Verglichener Kandidat { $token }: A { $a }, B { $b }, Rang { $ranks }
compare-candidate-hint = { $token }: { $a } und { $b } in den Modellen selbst

# Die Zweige
branches-one = Ein Zweig: Klicke in der Liste auf einen Kandidaten, um ihn stattdessen zu nehmen, und ein zweiter beginnt
branches-several = { $n } Zweige · log p ist das der ganzen Fortsetzung im Modell selbst, in Nat
branches-any-changed = ◆ geändert: log p jedes Schritts im Modell, das ihn erzeugt hat
branches-undo = Rückgängig
branches-redo = Wiederherstellen
branches-token = { $branch }: Schritt { $step }, { $token }, { $prob }{ $how }
branches-token-hint = { $token }: { $prob } im Modell selbst{ $how }
branches-taken = , von dir gewählt
branches-changed = , mit geändertem Modell: { $edits }
branches-name-hint = Diesen Zweig zeigen; Doppelklick zum Umbenennen
branches-sum = { $n_tokens ->
    [one] 1 Token · log p { $log_prob } Nat
   *[other] { $n } Tokens · log p { $log_prob } Nat
    }
branches-sum-hint = Der natürliche Logarithmus der gemeinsamen Wahrscheinlichkeit aller Tokens, jedes im Modell selbst bei T = 1
branches-rename = Umbenennen
branches-new-name = Neuer Name für { $name }
branches-delete = Löschen
branches-delete-hint = { $name } löschen, samt allem, was davon abzweigt

# Arbeiten am Modell
work-other-model = das wurde mit einem anderen Modell erzeugt, { $model }: Lade es, um hier fortzufahren
work-limit = nicht alles passt: Max. Tokens beendet den Text nach { $n ->
    [one] 1 Token
   *[other] { $n } Tokens
    }
work-other-branch = das begann in einem anderen Zweig: Zeige zuerst diesen
work-replayed = Nachgespielt: { $how }; die aufgezeichneten Logits weichen um höchstens { $deviation } ab
work-replay-same = { $n ->
    [one] das eine Token fiel gleich aus
   *[other] alle { $n } Tokens fielen gleich aus
    }
work-replay-differs = gleich ausgefallene Tokens: { $same } von { $n }, denn ein anderes Gerät oder Zahlenformat rundet anders
