# Was schiefgeht, und was beim Laden eines Modells geschieht. Was das System und fremde Bibliotheken sagen, steht unverändert in den Lücken.

# Die Dateien eines Modells
error-no-folder = das ist kein Ordner: Wähle den Ordner, der config.json, tokenizer.json und model.safetensors enthält: { $path }
file-not-regular = das ist keine gewöhnliche Datei: eine solche wählen
file-too-large = sie hat mehr als die { $limit } Bytes, die eine solche Datei haben darf
file-not-text = sie ist nicht in UTF-8: in dieser Kodierung speichern
error-file-missing = { $file } fehlt: { $hint }: { $folder }
error-file-unsupported = { $found } kann nicht gelesen werden: { $hint }: { $path }
error-file-broken = { $file } ist beschädigt ({ $reason }): Hol die Datei noch einmal von dort, woher das Modell kam: { $folder }
error-file-too-large = { $file } hat { $bytes } Byte, mehr als die { $limit }, die eine solche Datei haben darf: Wähle einen Ordner mit der richtigen Datei: { $folder }
error-file-escapes = { $file } nennt eine Datei außerhalb des Modellordners, { $shard }: Verwende dieses Modell nicht oder berichtige die Liste: { $folder }
error-io = { $what } ist fehlgeschlagen ({ $source }): Prüf, ob es den Ort gibt und ob du ihn benutzen darfst: { $path }
error-doing-listing = das Auflisten des Ordners
error-doing-reading = das Lesen
error-doing-reading-weights = das Lesen der Gewichte
error-doing-writing = das Schreiben
error-file-exists = es gibt schon eine Datei dieses Namens: Speichere noch einmal, um sie zu ersetzen, oder wähle einen anderen Namen: { $path }
error-doing-opening = das Öffnen
error-doing-saving = das Speichern
error-doing-autosave = das automatische Speichern
error-hint-folder = Wähle den Ordner, der config.json, tokenizer.json und model.safetensors enthält (oder deren Teile mit model.safetensors.index.json)
error-hint-shard = model.safetensors.index.json nennt sie; hol die fehlende Datei von dort, woher das Modell kam
error-hint-index = Es gibt mehrere safetensors-Dateien, und in dieser steht, welche zusammengehören; hol sie von dort, woher das Modell kam
error-hint-tokenizer = Den Tokenizer gibt es hier nur in einem anderen Format (etwa tokenizer.model); wandle ihn um, zum Beispiel mit AutoTokenizer.from_pretrained(…).save_pretrained(…)
error-hint-gguf = Hol die safetensors-Dateien, aus denen es gemacht wurde
error-hint-pytorch = Hol die safetensors-Dateien dazu, oder speichere es neu mit save_pretrained(…)
error-hint-lfs = Führ in diesem Ordner `git lfs pull` aus
error-found-gguf = ein GGUF-Modell
error-found-pytorch = ein Modell in PyTorchs eigenem Format
error-found-lfs = ein Git-LFS-Zeiger, der nur für die eigentliche Datei steht,
error-broken-object = kein Objekt
error-broken-eos = eos_token_id ist weder eine ID noch eine Liste von IDs
error-broken-index = sie nennt keine Dateien
error-broken-file = keine Datei

# Ein Modell vom Hub
error-hub-disk-full = der Datenträger ist voll: Schaff Platz oder setz HF_HOME auf einen Ordner auf einem anderen, und versuch es noch einmal; was schon da ist, bleibt: { $path }
error-hub-id = das ist keine Modell-ID: Schreib sie als owner/name oder owner/name@revision: { $id }
error-hub-not-found = der Hub zeigt kein Modell dieses Namens: Prüf die Schreibweise; für ein privates Modell setz die Umgebungsvariable HF_TOKEN auf ein Token, das es lesen darf: { $id }
error-hub-token = der Hub nimmt dein Token nicht an: Hol dir ein neues, oder entferne HF_TOKEN, HF_TOKEN_PATH und die Datei `token` in HF_HOME (meist ~/.cache/huggingface); ein öffentliches Modell braucht keines: { $id }
error-hub-revision = das Modell hat diese Revision nicht: Prüf den Teil hinter dem @ oder lass ihn weg: { $id }
error-hub-gated = der Zugang zu diesem Modell ist beschränkt: Beantrage ihn auf seiner Seite beim Hub und setz dann die Umgebungsvariable HF_TOKEN auf dein Token: { $id }
error-hub-missing = dem Modell fehlt { $file }: { $hint }: { $id }
error-hub-offline = das Modell ist im lokalen Cache nicht vollständig, und der Hub ist nicht zu erreichen ({ $reason }): Verbinde dich mit dem Internet und versuch es noch einmal, oder öffne einen Ordner oder das mitgelieferte Modell: { $id }
error-hub-interrupted = der Download von { $file } brach nach { $done } Byte ab ({ $reason }): Versuch es noch einmal, er geht dort weiter: { $id }
error-hub-refused = der Hub gab { $file } nicht heraus ({ $reason }): Versuch es später noch einmal, oder prüf HF_ENDPOINT, falls du es gesetzt hast: { $id }
error-hub-damaged = { $file } wurde unterwegs zweimal beschädigt und ist gelöscht: Versuch es später noch einmal; geschieht es jedes Mal, dann ändert der Hub oder etwas zwischen ihm und dir die Datei: { $id }
error-hub-changed-in-cache = { $file } im lokalen Cache ist nicht das, was der Hub gegeben hat: Die Datei wurde dort geändert oder beschädigt und ließ sich nicht neu holen: { $error }
error-hub-token-form = in deinem Token steht ein Zeichen, das in keinem Token vorkommt, etwa ein Leerzeichen oder ein Zeilenende: Berichtige HF_TOKEN, die Datei, die HF_TOKEN_PATH nennt, oder die Datei `token` in HF_HOME (meist ~/.cache/huggingface), oder entferne es; ein öffentliches Modell braucht keines
error-hub-no-access = der Hub kennt dein Token, aber es darf dieses Modell nicht lesen ({ $reason }): Ist der Zugang beschränkt, dann beantrage ihn auf der Seite des Modells beim Hub; sonst setz die Umgebungsvariable HF_TOKEN auf ein Token, das es lesen darf: { $id }
error-hub-client = es lässt sich keine Verbindung vorbereiten ({ $reason }): Wo Zertifikate fehlen, installiere das Paket deines Systems dafür (es heißt oft ca-certificates)
error-hub-cancelled = abgebrochen: Was schon heruntergeladen ist, bleibt, und der nächste Versuch geht dort weiter
error-hub-no-config = Es hat ein anderes Format, vielleicht GGUF, oder ergänzt nur ein anderes Modell; wähle eines mit config.json und model.safetensors
error-hub-no-weights = Seine Gewichte gibt es dort nicht als safetensors (vielleicht nur als GGUF oder in PyTorchs Format); wähle ein Modell mit model.safetensors
error-hub-no-tokenizer = Seinen Tokenizer gibt es dort nur in einem anderen Format; wähle ein Modell, das diese Datei hat
error-hub-no-shard = Sein Index nennt die Datei; sag es denen, die das Modell gemacht haben
error-hub-changed = das Modell wurde gerade eben auf dem Hub geändert
error-hub-circles = er schickt uns im Kreis
error-hub-no-rest = er gibt den Rest der Datei nicht heraus
error-hub-status = Status { $status }
error-hub-too-many-bytes = er gibt mehr Bytes, als er angekündigt hat
error-hub-closed = die Verbindung wurde geschlossen
error-hub-no-headers = in seiner Antwort fehlt ETag, X-Repo-Commit oder die Größe; ist das ein Modell-Hub?
error-hub-too-often = er will seltener gefragt werden
error-hub-asks-to-wait = Status { $status }, mit der Bitte, { $n } s zu warten
error-hub-slow = { $n } s lang kam fast nichts an
error-hub-endpoint = HF_ENDPOINT ist keine Adresse: { $endpoint }

# Während es geladen wird
load-prefix-space = tokenizer_config.json setzt add_prefix_space auf { $wanted }, und tokenizer.json sagt etwas anderes; es gilt tokenizer.json, daher kann das erste Wort eines Textes ein anderes Token haben als in transformers
load-legacy = tokenizer_config.json setzt legacy auf { $wanted }, und tokenizer.json sagt etwas anderes; es gilt tokenizer.json, daher kann das erste Wort nach einem besonderen Token ein anderes Token haben als in transformers
load-weights = Gewichte werden gelesen: { $model }
load-fetching = Wird geholt: { $file }
load-checking = Wird geprüft: { $file }
load-waiting = { $file }: nächster Versuch in { $n } s ({ $reason })
load-fault = das Modell konnte wegen eines Fehlers in diesem Programm nicht geladen werden
load-no-thread = es konnte kein Thread gestartet werden, um das Modell zu laden: { $error }

# config.json
error-config-syntax = config.json ist kein gültiges JSON-Objekt ({ $reason }); lade das Modell noch einmal herunter
error-config-lacks = in config.json fehlt `{ $name }`; lade das Modell noch einmal herunter oder ergänze die Einstellung
error-config-bad = config.json setzt `{ $name }` auf { $value }, aber { $problem }; lade das Modell noch einmal herunter oder berichtige die Einstellung
error-config-unsupported = config.json setzt `{ $name }` auf { $value }, und das wird nicht unterstützt ({ $problem }); wähle ein anderes Modell
error-architecture = die Architektur { $name } wird nicht unterstützt; wähle ein Modell, dessen config.json eine von diesen nennt: LlamaForCausalLM, MistralForCausalLM, Qwen2ForCausalLM, Qwen3ForCausalLM
config-no-object = sie enthält kein Objekt
config-plain-weights = Gewichte müssen einfaches F32, F16 oder BF16 sein
config-capped-logits = sanft begrenzte Logits gibt es hier nicht
config-capped-attention = sanft begrenzte Attention gibt es hier nicht
config-scaled-logits = skalierte Logits gibt es hier nicht
config-scaled-embeddings = skalierte Embeddings gibt es hier nicht
config-scaled-residuals = skalierte Residuen gibt es hier nicht
config-scaled-attention = eine andere Skalierung der Attention gibt es hier nicht
config-experts = Mixtures of Experts gibt es hier nicht
config-no-multiple = `num_attention_heads` ist { $n }, und das ist kein Vielfaches davon
config-no-divisor = `num_attention_heads` ist { $n }, und das teilt es nicht
config-mistral-biases = Mistral hat keine Biases
config-llama-biases = nur Llama darf im MLP Biases haben
config-object = es muss ein Objekt sein
config-size = es muss eine ganze Zahl von 1 bis { $most } sein
config-flag = es muss true oder false sein
config-not-negative = es muss eine Zahl ab 0 sein
config-positive = es muss eine Zahl über 0 sein
config-whole = es muss eine ganze Zahl sein
config-names = es muss eine Liste von Namen sein
config-even = Rotary Embeddings brauchen eine gerade Zahl
config-activations = unterstützt sind silu, gelu, gelu_pytorch_tanh, gelu_new und relu
config-only-one = unterstützt ist nur 1
config-rope-layers = Rotary-Einstellungen für einzelne Arten von Schichten gibt es hier nicht
config-rope-types = unterstützt sind default, linear und llama3
config-only-causal = ein Modell, das nach vorn sieht, schreibt keinen Text
config-rope-twice = `rope_parameters` steht auch da und sagt etwas anderes: Lass eines von beiden weg
config-rope-factors = `high_freq_factor` ist { $value } und muss größer sein
config-llama-window = Llama hat keines
config-layer-list = es muss eine Liste von { $n } Namen sein, einem für jede Schicht
config-layer-types = unterstützt sind full_attention und, mit einem Fenster, sliding_attention
config-mistral-layers = bei Mistral sind alle Schichten gleich

# Die Gewichte
error-weights-read = die Gewichte konnten nicht gelesen werden ({ $source }); prüf die Datei: { $path }
error-weights-damaged = die Gewichte sind beschädigt: { $problem }; lade diese Datei noch einmal herunter: { $path }
error-weights-none = es wurden keine Gewichte angegeben; nenne mindestens eine .safetensors-Datei
error-tensor-missing = den Gewichten fehlt der Tensor `{ $name }`; prüf, ob config.json zu diesen Gewichten gehört und ob alle Dateien da sind: { $path }
error-tensors-unused = die Gewichte enthalten { $n ->
    [one] einen Tensor, den
   *[other] { $n } Tensoren, die
  } config.json nicht benutzt ({ $names }): Sie gehören zu einem anderen Modell, als sie beschreibt; berichtige config.json, oder hol sie von dort, wo die Gewichte her sind: { $path }
error-tensor-shape = der Tensor `{ $name }` hat die Form { $found }, wo config.json { $expected } verlangt; prüf, ob config.json zu diesen Gewichten gehört: { $path }
error-tensor-format = der Tensor `{ $name }` hat das Zahlenformat { $found }, gelesen werden aber nur F32, F16 und BF16; wähle nicht quantisierte Gewichte: { $path }
weights-short = die Datei hat nur { $n } Byte
weights-header-long = ein Kopf von { $header } Byte in einer Datei von { $file }
weights-header-invalid = der Kopf ist ungültig, { $error }
weights-other-length = die Datei hat { $file } Byte, und ihr Kopf spricht von { $expected }

# Das Gerät
error-not-built = { $device } kann nicht benutzt werden: Dieses Programm wurde ohne { $device } gebaut; bau es mit --features { $feature }, oder wähle die CPU
error-no-device = { $device } kann nicht benutzt werden ({ $problem }); prüf den Treiber, oder wähle die CPU
error-dtype = { $dtype } wird auf diesem Gerät nicht unterstützt; wähle f32 oder f16
device-macos = das gibt es nur unter macOS
device-no-driver = der Treiber konnte nicht geladen werden

# Ein Durchlauf des Modells
error-pass-cancelled = der Durchgang wurde abgebrochen
error-context-full = das Kontextfenster ist voll: { $needed } Positionen werden gebraucht, und das Modell hat { $n }; kürze den Prompt oder erzeuge weniger Tokens
error-token-range = die Token-ID { $id } liegt nicht unter der Größe des Vokabulars, { $n }; prüf, ob der Tokenizer zu diesem Modell gehört
error-edit-fit = die Änderung { $edit } passt nicht zu diesem Modell: nimm sie zurück
error-nothing-fed = es gibt nichts zu verarbeiten: Der Prompt hat keine Tokens; tippe etwas Text
error-memory = der Speicher reicht nicht für { $what }; schließ andere Programme, kürze den Prompt oder wähle ein kleineres Modell
error-memory-model-f16 = dieses Modell braucht { $needed } in f32, und { $free } Speicher sind frei: Wähle f16 als Zahlenformat, schließ andere Programme oder wähle ein kleineres Modell
error-memory-model = dieses Modell braucht { $needed } in { $dtype }, und { $free } Speicher sind frei: Schließ andere Programme oder wähle ein kleineres Modell
error-compute = die Berechnung ist fehlgeschlagen ({ $reason }); versuch es noch einmal auf der CPU
memory-computation = die Berechnung
memory-tensor = den Tensor `{ $name }`
memory-logits = { $n } Logits
memory-cache = einen KV-Cache von { $n } Positionen
compute-no-numbers = ein Tensor ist keiner aus f32 oder f16, der zusammenhängend im Speicher der CPU liegt

# Ein Lauf
error-empty-prompt = der Tokenizer dieses Modells setzt kein Starttoken vor einen Text, also braucht es einen Prompt: Tippe mindestens ein Zeichen
error-prompt-too-long = der Prompt hat { $n } Tokens, das Kontextfenster aber fasst { $most }: Kürze ihn um { $excess }
error-patch-lengths = Aktivierungen gehen Position für Position von einem Text in den anderen, aber der erste hat { $clean } Tokens und der zweite { $corrupted }: Ändere einen Text, bis beide gleich viele haben
error-patch-answers = auf beide Texte folgt dasselbe Token, also gibt es keinen Unterschied, der zurückkommen könnte: Ändere einen der Texte oder wähle zwei Tokens zum Vergleich
error-run-ended = dieser Lauf ist zu Ende: Starte ihn neu oder ändere den Prompt
error-run-over = dieser Lauf ist vorbei: Starte ihn neu
error-no-model = es ist noch kein Modell geladen: Warte darauf oder wähle ein anderes

# Der Tokenizer
error-tokenizer-broken = tokenizer.json kann nicht gelesen werden: Hol die Datei noch einmal von dort, woher das Modell kam ({ $reason })
error-tokenizer-other = der Tokenizer passt nicht zum Modell: Er hat Token-IDs bis { $highest }, das Modell aber kennt nur { $n } Tokens; nimm die tokenizer.json, die zu diesem Modell gehört
error-encode = der Text lässt sich nicht in Tokens zerlegen: Ändere ihn, oder nimm ein anderes Modell ({ $reason })
error-tokenizer-fault = die Bibliothek tokenizers ist daran gescheitert; die Datei passt nicht zu sich selbst
error-no-merges = dieser Tokenizer schlägt ganze Wörter nach: Davon gibt es nichts zu zeigen
error-tokenizer-unsupported = dieser Tokenizer kann nicht benutzt werden: { $problem }; wähle ein Modell mit einem anderen
error-text-too-long = der Text hat { $n } Byte, und höchstens { $most } werden in Tokens zerlegt: Kürze ihn
error-text-grows = der Tokenizer macht aus diesem Text mehr als { $most } Byte, bevor er ihn zerlegt: Kürze den Text, oder benutze ein anderes Modell
error-text-slow = das Muster { $pattern } des Tokenizers braucht für diesen Text zu lange: Kürze den Text, oder benutze ein anderes Modell
tokenizer-stages = er hat { $n } Schritte einer Art, und höchstens { $most } sind erlaubt
tokenizer-around = er setzt { $n } Tokens um jeden Text, und höchstens { $most } sind erlaubt
tokenizer-grows = er macht kurze Texte endlos
tokenizer-slow = sein Muster { $pattern } braucht zu lange
tokenizer-repeats = er schreibt jeden Text mehrmals
tokenizer-dropout = er lässt Merges zufällig aus (dropout { $share }), sodass derselbe Text jedes Mal andere Tokens hat; setze `dropout` in tokenizer.json auf null, um alle Merges zu benutzen
tokenizer-mark = sein Zeichen an jedem Buchstaben ist zu lang ({ $mark }), höchstens { $most } Byte sind erlaubt
tokenizer-long-words = er zerlegt Wörter von { $n } Zeichen, und höchstens { $most } sind erlaubt
error-unknown-token = sein Token für Unbekanntes, { $name }, steht nicht in seinem Vokabular
error-no-token = „{ $word }“ hat kein Token

# Die Sampler
error-logit = das Logit des Modells für Token { $id } ist { $value }, danach lässt sich nicht wählen: Vielleicht sind die Gewichte beschädigt, oder das Zahlenformat ist zu klein für dieses Modell (versuch f32)
error-no-probability = das Modell gibt keinem Token eine Wahrscheinlichkeit: Vielleicht sind die Gewichte beschädigt
error-setting = { $name } muss { $range } sein, ist aber { $value }
error-no-such-token = es gibt kein Token { $id }: Die IDs des Modells gehen von 0 bis { $last }
error-constraint = der Text dieser Stufe ({ $name }) ist nicht verwendbar: { $reason }
error-off-constraint = der bisherige Text passt nicht dazu ({ $name }): Beginne neu, nimm dort, wo er noch passte, ein passendes Token, oder schalte diese Stufe aus
error-constraint-met = der Text passt ({ $name }) und kann nicht weitergehen, und dieses Modell hat kein Token, um ihn zu beenden
error-contradiction = mit keinem Token geht es sowohl nach dem regulären Ausdruck als auch nach dem JSON-Schema weiter: Schalte eines davon aus
error-no-guide = ein regulärer Ausdruck oder ein Schema lässt sich hier nicht verwenden: Schalte diese Stufe aus
error-other-vocabulary = die Modelle haben verschiedene Tokens ({ $a } und { $b }), daher lassen sich ihre Verteilungen nicht vergleichen
error-bias-twice = das Token { $id } hat zwei Bias-Werte: Gib ihm einen
error-stage-twice = die Stufe { $stage } steht zweimal in der Kette: Lass eine davon weg
error-stage-unknown = `{ $text }` ist keine Stufe: Es gibt { $all }
error-stage-form = `{ $text }` ist keine Stufe: Schreib es so wie { $form }
constraint-regex = regulärer Ausdruck
constraint-json = JSON-Schema
constraint-at = { $what }, bei Zeichen { $n }
constraint-anchors = \b, ^ und $ können nicht verwendet werden: Lass sie weg, der ganze Text muss ohnehin passen
constraint-one-of = es lässt sich nicht feststellen, dass nur ein Teil eines oneOf passt: Schreib stattdessen anyOf
constraint-nothing = kein Token dieses Modells führt zu einem Text, der passt
constraint-large-number = `{ $keyword }` enthält { $value }, aber ganze Zahlen sind hier nur bis 9.007.199.254.740.991 genau: Bleib innerhalb dieser Grenze
setting-repetition = die Wiederholungsstrafe
setting-presence = die Präsenzstrafe
setting-frequency = die Häufigkeitsstrafe
setting-temperature = die Temperatur
setting-top-p = Top-p
setting-min-p = Min-p
setting-typical = „lokal typisch“
setting-top-n-sigma = Top-nσ
setting-xtc-threshold = die Schwelle von XTC
setting-xtc-probability = die Chance von XTC
setting-mirostat-tau = τ von Mirostat
setting-mirostat-eta = η von Mirostat
setting-bias = ein Logit-Bias
range-positive = eine Zahl über 0
range-any = eine Zahl
range-from-zero = eine Zahl ab 0
range-share = eine Zahl von 0 bis 1
range-positive-share = größer als 0 und höchstens 1
range-bias = eine Zahl oder (zum Sperren des Tokens) -inf

# Sitzungsdateien
error-no-session = das ist keine Sitzungsdatei von Tokenscope: Wähle eine, die damit gespeichert wurde: { $path }
error-session-header = der Anfang dieser Sitzungsdatei ist beschädigt ({ $reason }), daher lässt sich nichts davon zeigen: Such eine andere Kopie: { $path }
error-session-not-file = { $reason }: { $path }
error-session-disk-full = der Datenträger ist voll: Schaff Platz und speichere noch einmal; was vorher gespeichert war, ist unverändert: { $path }
error-session-not-kept = die Sitzung wird nicht für den Fall eines Absturzes gesichert: { $error }
session-later = diese Sitzung wurde mit einer späteren Version von Tokenscope gespeichert (Format { $format }, diese liest bis { $reads }): Hol die neueste Version, um alles davon zu sehen
session-later-lines = diese Sitzung wurde mit einer späteren Version von Tokenscope gespeichert (Format { $format }, diese liest bis { $reads }; unverständliche Zeilen: { $n }): Hol die neueste Version, um alles davon zu sehen
session-cut = die Datei ist abgeschnitten: { $n ->
    [one] 1 Schritt war lesbar
   *[other] { $n } Schritte waren lesbar
}
session-damaged = die Datei wurde geändert oder beschädigt: { $n ->
    [one] 1 Schritt vor dieser Stelle war lesbar
   *[other] { $n } Schritte vor dieser Stelle waren lesbar
}
session-no-end = die Datei hat kein Ende: { $n ->
    [one] 1 Schritt war lesbar
   *[other] { $n } Schritte waren lesbar
}
session-too-much = die Datei enthält entpackt mehr, als eine Sitzung dieser Größe enthalten kann: { $n ->
    [one] 1 Schritt vor dieser Stelle war lesbar
   *[other] { $n } Schritte vor dieser Stelle waren lesbar
}
session-unplaced = { $n ->
    [one] 1 Schritt wurde ausgelassen, da sein Zweig oder der Schritt davor fehlt: Schritt { $step } von Zweig { $branch }
   *[other] { $n } Schritte wurden ausgelassen, da ihr Zweig oder der Schritt davor fehlt; der erste: Schritt { $step } von Zweig { $branch }
}
session-many-branches = sie nennt mehr Zweige, als eine Sitzung hat; die ersten { $n } sind gelesen
session-broken-lines = { $n ->
    [one] 1 Zeile ergibt keinen Sinn und wurde ausgelassen: { $first }
   *[other] { $n } Zeilen ergeben keinen Sinn und wurden ausgelassen; die erste: { $first }
}
session-header-cut = die Datei ist abgeschnitten
session-second-header = ein zweiter Anfang
session-long-line = eine Zeile, in der mehr steht, als je gespeichert wurde
session-range = `{ $name }` ist { $value } und kann nur von { $low } bis { $high } gehen
session-step = Schritt { $step } von Zweig { $branch }: { $reason }
session-special = ein Sondertoken, das nicht im Vokabular ist
session-no-byte = { $c } ist kein Byte
session-fates = die Kandidaten und das, was aus ihnen wurde, passen nicht zusammen
session-no-edits = die Änderungen am Modell fehlen zu einem Schritt
session-no-stage = ein Kandidat wurde von einer Stufe verworfen, die es nicht gibt
session-lists = die Listen einer Verteilung sind nicht gleich lang
session-no-candidates = ein Token des Prompts ohne Kandidaten

# Links
error-no-link = das ist kein Link: Einer beginnt mit { $scheme }
error-link-number = { $name } ist in diesem Link keine ganze Zahl: { $value }
error-link-samplers = die Sampler dieses Links lassen sich nicht lesen: { $reason }

# Lektionsdateien
wrong-line = Zeile { $line }: { $message }
wrong-edited = { $file }, Zeile { $line }: { $message }. Bis dahin bleibt die Lektion, wie sie war
wrong-mended = Neu gelesen: { $file }
wrong-no-lesson = es ist keine Szene darin
wrong-too-long = die Datei hat mehr als ein Megabyte: Eine Lektion hat ein paar Seiten
wrong-no-header = die Datei muss mit einer Zeile `+++`, dem Kopf und einem weiteren `+++` beginnen
wrong-header-open = der Kopf hat kein Ende: Setz eine Zeile `+++` dahinter
wrong-header = der Kopf lässt sich nicht lesen: { $reason }
wrong-scene-twice = es gibt zwei Szenen `{ $id }`: Gib jeder eine eigene ID
wrong-scene = diese Szene lässt sich nicht lesen: { $reason }
wrong-part = keine Szene hat die ID `{ $id }`: Berichtige eine von beiden, oder lass diesen Teil weg
wrong-no-scene = eine Lektion braucht mindestens eine [[scene]]
wrong-minutes = minutes muss von 1 bis 60 sein
wrong-control = es gibt kein Bedienelement `{ $name }`: Nimm eines von { $all }
wrong-part-twice = ein zweiter Teil `{ $id }`: Füg beide zusammen
wrong-stray-text = Text vor dem ersten `## ` gehört zu keiner Szene
wrong-value = es gibt keinen Wert { $value }: lessons/README.md zählt sie auf
wrong-picture = eine Lektion hat keine Bilder: Zeig auf das, was auf dem Bildschirm ist
wrong-html = eine Lektion hat kein HTML: Schreib Markdown, oder setz es in `code`
wrong-point = es gibt nichts namens `{ $name }`, auf das man zeigen könnte: Es gibt { $all }, und chart., loop. und stage. mit einem Namen dahinter
wrong-term = das Glossar hat keinen Begriff `{ $name }`
wrong-link = ein Link muss mit point:, term: oder https: beginnen, nicht `{ $target }`
wrong-no-text = die Szene hat keinen Text: Schreib einen Teil `## { $id }` hinter den Kopf
wrong-empty-check = check sieht sich nichts an: Sag, was zu tun ist
wrong-no-solution = zu check gehört eine solution, die es erfüllt
wrong-answers = `{ $question }` braucht zwei oder mehr Antworten, von denen genau eine richtig ist
wrong-no-why = die falsche Antwort `{ $text }` braucht ein why
wrong-count = Schritte und Ränge zählen ab 1
wrong-name = `{ $name }` ist { $what }: Es gibt { $all }
wrong-what-overflow = kein Ende des Fensters
wrong-what-station = keine Station der Schleife
wrong-what-chart = kein Diagramm
wrong-what-scale = keine Skala
wrong-what-text = keine Art, den Text zu schreiben
wrong-what-tint = keine Färbung
wrong-what-section = kein Abschnitt des Inspektors
wrong-what-stage = keine Sampler-Stufe
wrong-what-end = kein Ende
wrong-what-part = kein Bild der Embeddings
wrong-what-zoom = keine Stufe der Karte
wrong-what-measure = kein Maß eines Kopfes
wrong-what-patch = kein Ort, an dem etwas eingesetzt werden kann
wrong-head = `{ $name }` ist kein Kopf: Schreib Schicht und Kopf wie in L3 H5
wrong-part-of-model = `{ $name }` ist kein Teil des Modells: Schreib L3 H5, L3 attention, L3 MLP, L3 oder embeddings
