# Die Schleife mit ihren Knöpfen und der Zeitleiste, die Tasten, der Inspektor mit KV-Cache und Zeit, der Rechner, Einheiten.

# Die Stationen der Schleife
loop-tokenize = Zerlegen
loop-embed = Einbetten
loop-layers = Schichten
loop-logits = Logits
loop-softmax = Softmax
loop-truncate = Kürzen
loop-draw = Ziehen
loop-append = Anhängen
loop-tokenize-about = Der Tokenizer zerlegt den Prompt in Stücke, für die das Modell eine Nummer hat
loop-embed-about = Zu jeder ID wird ihre Zeile der Einbettungsmatrix nachgeschlagen: ein Vektor
loop-layers-about = Jeder Transformer-Block liest über den KV-Cache alle früheren Positionen und verfeinert die Vektoren
loop-logits-about = Der letzte Vektor wird mit jedem Token des Vokabulars verglichen: je ein Logit
loop-softmax-about = Softmax macht aus allen Logits Wahrscheinlichkeiten, die zusammen eins ergeben
loop-truncate-about = Die Sampler formen die Verteilung um und verwerfen Kandidaten
loop-draw-about = Eine Zufallszahl fällt auf die kumulierte Verteilung und wählt ein Token
loop-append-about = Das gewählte Token kommt zum Text und wird im nächsten Schritt eingegeben
loop-station = Station { $name }
loop-again = das gewählte Token wird wieder eingegeben

# Die Knöpfe darunter
transport-restart = ⟲ Neustart
transport-back = ◀ Zurück
transport-forward = Vor ▶
transport-step-stage = Station weiter
transport-step = Schritt
transport-run = ▶ Start
transport-pause = Pause
transport-stop = ■ Stopp
speed = Tempo
speed-max = max
speed-about = Tokens pro Sekunde im Lauf; ganz rechts so schnell, wie das Modell kann

# Die Zeitleiste
timeline = Zeitleiste
timeline-empty = Die Zeitleiste füllt sich mit jedem Token: ein Balken je Schritt, so hoch wie seine Millisekunden
timeline-step = Schritt { $step } von { $n }
timeline-bar = Schritt { $step }: { $time }
timeline-name = ms je Schritt
timeline-figure = { $n ->
    [one] Millisekunden von 1 Schritt
   *[other] Millisekunden von { $n } Schritten
    }

# Die Namen der Tasten
key-space = Leertaste
key-escape = Esc
key-home = Pos 1
key-end = Ende
key-page-up = Bild auf
key-page-down = Bild ab
key-ctrl-z = Strg Z
key-ctrl-y = Strg Y
key-ctrl-s = Strg S
key-ctrl-o = Strg O
key-ctrl-l = Strg L
key-ctrl-plus = Strg +
key-ctrl-minus = Strg −

# Was die Tasten tun
keys-step-token = Ein Token weiter
keys-run = Starten oder pausieren
keys-restart = Neu beginnen mit demselben Prompt
keys-back = Ein Token zurück
keys-forward = Ein aufgezeichnetes Token vor
keys-step-stage = Eine Station der Schleife weiter
keys-back-stage = Eine Station zurück
keys-stop = Sofort stoppen
keys-greedy = Greedy an oder aus
keys-end = Zum letzten aufgezeichneten Token
keys-step-room = Dieser Schritt: seine Verteilung und seine Ziehung
keys-explore-room = Erkunden: was sonst hätte kommen können
keys-previous-branch = Der Zweig darüber
keys-next-branch = Der Zweig darunter
keys-undo = Letzte Änderung an Zweigen oder Samplern rückgängig machen
keys-redo = Wiederherstellen
keys-save = Sitzung speichern
keys-open = Sitzung öffnen
keys-lessons = Lektionen zeigen oder verbergen
keys-next-scene = Nächste Szene der Lektion, sobald ihre Aufgabe gelöst ist
keys-inspector = Inspektor zeigen oder verbergen
keys-predict = Jedes Token vorhersagen, bevor es gemacht wird
keys-present = Vorführen, für einen Beamer
keys-glossary = Das Glossar
keys-larger = Alles größer
keys-smaller = Alles kleiner
keys-help = Diese Liste zeigen oder verbergen

# Die Abschnitte des Inspektors
inspector-samplers = Sampler
inspector-text = Text
inspector-kv-cache = KV-Cache
inspector-time = Zeit

# Der KV-Cache
kv-empty = Leer: Noch wurde nichts eingegeben
kv-calculator = Rechner …
kv-calculator-about = Was der Cache für jedes Modell und jede Länge kostet
kv-from-prompt = ■ { $n } aus dem Prompt
kv-from-decoding = ■ { $n } aus dem Decode
kv-positions = Gefüllte Positionen
kv-positions-of = { $filled } von { $window }
kv-filled = gefüllt
kv-filled-about = An den Tensoren abgelesen: der Teil, der Keys und Values enthält
kv-by-formula = Formel
kv-formula = 2 (K und V) × { $layers } Schichten × { $heads } Key/Value-Köpfe × { $numbers } Zahlen × { $positions } Positionen × { $bytes } Byte
kv-allocated = reserviert
kv-allocated-about = An den Tensoren abgelesen: Platz wird im Voraus geschaffen, damit nicht jedes Token den Cache verschiebt
kv-each-layer = Je Schicht
kv-first-layer = Erste Schicht
kv-all-layers = Alle { $n } Schichten
kv-this-step = Schritt: +{ $n }
kv-meter = KV-Cache, { $filled } von { $window } Positionen gefüllt
kv-window-about = Das Kontextfenster: Was in diesem Schritt hinzukam, ist umrandet
kv-forgotten = { $n ->
    [one] 1 Token ist vergessen: Auf Position 0 steht das dahinter
   *[other] { $n } Tokens sind vergessen: Auf Position 0 steht das dahinter
  }
kv-forgotten-about = Das Fenster ist weitergerückt: Jedes Mal fallen die ältesten Tokens weg, ein halbes Fenster auf einmal, und der Rest wird mit Positionen ab 0 neu eingegeben, was für ihn exakt ist
kv-overflow = Wenn das Fenster voll ist
kv-overflow-stop = Anhalten
kv-overflow-stop-about = Der Text endet dort
kv-overflow-slide = Weiterrücken
kv-overflow-slide-about = Die ältesten Tokens werden vergessen, ein halbes Fenster auf einmal, und der Text geht weiter: Das Modell weiß nicht mehr, wie er begann

# Die Zellen des KV-Caches unter dem Text
kv-cells = { $n ->
    [one] KV-Cache: 1 Position · { $bytes }
   *[other] KV-Cache: { $n } Positionen · { $bytes }
    }
kv-cells-short = { $n ->
    [one] 1 Position · { $bytes }
   *[other] { $n } Positionen · { $bytes }
    }
kv-cells-about = Der Balken unter jedem Token ist seine Zelle im KV-Cache: Sie enthält seine Keys und Values in allen Schichten
kv-cells-prefill = gestreift: vom Prefill gefüllt
kv-cells-decode = voll: von einem Decode-Schritt gefüllt
kv-cells-new = umrandet: vom gezeigten Schritt
kv-cells-empty = leer: noch nicht eingegeben
kv-cell-empty = KV-Cache: noch nicht eingegeben
kv-cell-prefill = KV-Cache: vom Prefill gefüllt, Schritt { $step }
kv-cell-decode = KV-Cache: vom Decode gefüllt, Schritt { $step }
kv-cell-before = KV-Cache: gefüllt, bevor dieser Zweig begann
kv-cell-open = Zelle { $n } des KV-Cache öffnen
kv-cell-open-hint = Klick: ihre Keys und Values, und welche Köpfe sie lesen

# Die Zeit
timing-empty = Noch wurde nichts gemessen
timing-prefill = { $n ->
    [one] Prefill, 1 Token
   *[other] Prefill, { $n } Tokens
    }
timing-prefill-about = Von den IDs des Prompts bis zum ersten Token
timing-decode = Decode
timing-decode-mean = Decode, Mittel je Token
timing-no-token = noch kein Token
timing-speed-about = Von Modell und Samplern, ohne Pausen
timing-step = Schritt { $n }
timing-embed = Einbetten
timing-layers = Schichten
timing-head = Letzte Norm und Logits
timing-samplers = Sampler und Ziehung
timing-together = Zusammen

# Der Streifen der Zeiten
time-strip-name = { $n ->
    [one] Zeiten des Laufs: Prefill { $prefill }, dann 1 Token im Decode in { $decode }, zusammen { $total }; Schritt { $step } ist markiert
   *[other] Zeiten des Laufs: Prefill { $prefill }, dann { $n } Tokens im Decode in { $decode }, zusammen { $total }; Schritt { $step } ist markiert
    }
time-strip-prefill = { $n ->
    [one] Prefill, 1 Token: { $time }
   *[other] Prefill, { $n } Tokens: { $time }
    }
time-strip-merged = Schritte { $first } bis { $last }: zusammen { $time }
time-strip-phase-prefill = ■ Prefill
time-strip-phase-decode = ■ Decode
time-strip-ratio = Der Prompt ging je Token { $ratio }-mal so schnell hinein

# Der Rechner
calculator-title = Was kostet der KV-Cache?
calculator-layers = Schichten
calculator-heads = Key/Value-Köpfe
calculator-numbers = Zahlen je Kopf
calculator-loaded = Das geladene Modell
calculator-tokens = Tokens
calculator-8-bits = 8 Bit
calculator-formula = 2 (Keys und Values) × { $layers } Schichten × { $heads } Köpfe × { $numbers } Zahlen × { $n_tokens ->
    [one] 1 Token
   *[other] { $tokens } Tokens
    } × { $bytes } Byte
calculator-outgrows = { $each } je Token; ab { $n } Tokens ist er größer als die Gewichte ({ $weights })
calculator-never-outgrows = { $each } je Token, aber nie größer als die Gewichte ({ $weights })
calculator-sliding = Jede Schicht blickt höchstens { $n } Positionen zurück: Ältere gibt der Cache frei und wächst nicht weiter
calculator-beyond = länger als das Fenster dieses Modells: { $n }
calculator-too-long = { $bytes } (zu lang)
calculator-limited = { $n } mit begrenztem Zugang
calculator-model = Modell
calculator-shape = Schichten × KV-Köpfe × Dim.
calculator-one-token = ein Token
calculator-n-tokens = { $n_tokens ->
    [one] 1 Token
   *[other] { $n } Tokens
    }
calculator-weights = Gewichte
calculator-take = Diese Form übernehmen
calculator-windows = Kontextfenster nach den damaligen Angaben der Hersteller; solche Zahlen ändern sich. Balken logarithmisch
calculator-here = hier
calculator-config = seine config.json

# Einheiten
format-rate = { $n } Tok/s
format-nats = { $n } Nat
format-bits = { $n } Bit
