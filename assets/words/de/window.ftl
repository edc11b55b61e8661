# Was am Rand des Fensters steht und was darüber liegt.

close = Schließen
cancel = Abbrechen
ok = OK
dismiss = Verstanden

# Die Leiste oben
prompt = Prompt
prompt-hint = Tippe einen Prompt oder lass das Feld leer
prompt-tip = Enter macht das erste Token, Umschalt+Enter eine neue Zeile, Esc verlässt das Feld
examples = Beispiele ▾
examples-tip = Prompts für den Anfang
theme-auto = Auto
theme-dark = Dunkel
theme-light = Hell
theme-tip = Dunkel, hell oder wie im System eingestellt

# Das Modell
model = Modell
model-none = Kein Modell
model-choose = Wähle ein Modell und ein Gerät
model-click = Klicke, um ein anderes Modell oder Gerät zu wählen
model-shape = { $parameters } Parameter, { $weights } Gewichte, { $layers } Schichten, { $heads } Köpfe ({ $kv_heads } Key/Value), { $head_dim } Zahlen pro Kopf
model-window = { $vocabulary } Tokens im Vokabular, Kontextfenster von { $window } Positionen
model-loaded-in = Geladen in { $time }
model-no-end = Kein Token beendet einen Text: Keine Datei des Modells nennt eines
model-end = Ein Text endet mit ID { $ids } (aus { $file })
model-bundled = Mitgeliefertes Modell
model-bundled-tip = Immer da, ohne Netz
model-draft = Mitgeliefertes Entwurfsmodell
model-draft-tip = Ein kleineres Modell, das das andere nachahmt: schneller, kann weniger
model-folder = Ordner öffnen …
model-drop = oder zieh einen auf das Fenster: config.json, tokenizer.json, *.safetensors
model-id = Ordner oder Hub-ID
model-load = Laden
model-cache = Ein Hub-Modell wird einmal geholt und danach ohne Netz aus dem lokalen Cache geöffnet
device = Gerät
device-auto = Auto
device-auto-tip = Eine GPU, wenn es eine gibt, die dieser Build nutzen kann, sonst die CPU
device-cpu-tip = Der Prozessor
device-cuda-tip = Eine NVIDIA-GPU; braucht einen Build mit dem Feature cuda
device-metal-tip = Eine Apple-GPU; unter macOS
dtype = Zahlen
dtype-auto = Auto
dtype-auto-tip = f32 auf der CPU, das Format der Datei auf einer GPU
dtype-f32-tip = 4 Byte je Zahl
dtype-f16-tip = 2 Byte je Zahl: halber Speicher, etwas weniger genau
loading = Lädt …
loading-of = { $done } von { $total }

# Die Einstellungen
settings = Einstellungen
settings-language = Sprache
settings-language-tip = Für das Fenster und, soweit es welche gibt, für die Lektionen
settings-system = System
settings-theme = Farben
settings-zoom = Größe
settings-smaller = Kleiner
settings-larger = Größer
settings-usual = Wie üblich
settings-motion = Bewegung
settings-still = Nichts gleitet oder wird ein- und ausgeblendet
settings-lessons = Eigene Lektionen
settings-lessons-note = Ein Ordner mit Lektionsdateien. Sie stehen in der Liste der Lektionen und werden nach jedem Speichern neu gelesen
settings-lessons-choose = Ordner wählen …
settings-lessons-hint = oder tippe seinen Pfad
settings-lessons-found = { $n ->
    [one] 1 Lektion gefunden
   *[other] { $n } Lektionen gefunden
}

# Meldungen
keys = Tasten
keys-note = Im Prompt macht Enter das erste Token, und Esc verlässt das Feld. Eine Taste wirkt nur, wenn das gewählte Bedienelement sie nicht selbst braucht
engine-stopped = Die Engine ist stehen geblieben. Was aufgezeichnet wurde, ist noch da.
engine-restart = Engine neu starten
engine-no-thread = Für die Engine konnte kein Thread gestartet werden: { $error }
orphans = { $n ->
    [one] Tokenscope wurde nicht regulär beendet. Eine Sitzung liegt in { $folder }:
   *[other] Tokenscope wurde nicht regulär beendet. { $n } Sitzungen liegen in { $folder }:
}
orphan = { $n ->
    [one] Die Sitzung „{ $prompt }“ mit 1 Schritt wurde gesichert.
   *[other] Die Sitzung „{ $prompt }“ mit { $n } Schritten wurde gesichert.
}
orphan-partial = Nicht alles in ihrer Datei ist lesbar.
orphans-unreadable = { $n ->
    [one] Eine Sitzung, die übrig ist, weil Tokenscope nicht regulär beendet wurde, ist nicht lesbar. Sie bleibt in { $folder }, unter einem Namen, der auf „unreadable“ endet; eine spätere Version kann sie vielleicht lesen.
   *[other] { $n } Sitzungen, die übrig sind, weil Tokenscope nicht regulär beendet wurde, sind nicht lesbar. Sie bleiben in { $folder }, unter Namen, die auf „unreadable“ enden; eine spätere Version kann sie vielleicht lesen.
}
orphan-open = Öffnen
orphan-forget = Verwerfen
dialog-folder = Modellordner wählen
dialog-lessons = Ordner mit Lektionen wählen
dialog-session = Sitzung öffnen
dialog-tokenizer = Eine tokenizer.json wählen
dialog-tokenizer-folder = Ordner mit einer tokenizer.json wählen
dialog-failed = Der Dialog konnte nicht geöffnet werden: { $error }; tippe den Pfad oder zieh die Datei auf das Fenster
