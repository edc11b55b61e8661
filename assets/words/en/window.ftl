# What stands at the edges of the window, and what lies over it.

close = Close
cancel = Cancel
ok = OK
dismiss = Dismiss

# The bar above
prompt = Prompt
prompt-hint = Type a prompt, or leave it empty
prompt-tip = Enter makes the first token, Shift+Enter types a new line, Esc leaves the field
examples = Examples ▾
examples-tip = Prompts to begin with
theme-auto = Auto
theme-dark = Dark
theme-light = Light
theme-tip = Dark, light, or as the system has it

# The model
model = Model
model-none = No model
model-choose = Choose a model and a device
model-click = Click to choose another model or device
model-shape = { $parameters } parameters, { $weights } of weights, { $layers } layers, { $heads } heads ({ $kv_heads } key/value), { $head_dim } numbers per head
model-window = { $vocabulary } tokens in the vocabulary, window of { $window } positions
model-loaded-in = Loaded in { $time }
model-no-end = No token ends a text: no file of the model names one
model-end = A text ends at id { $ids } (from { $file })
model-bundled = Bundled model
model-bundled-tip = Always there, without network
model-draft = Bundled draft
model-draft-tip = A smaller model that imitates the other: faster, less able
model-folder = Open a folder…
model-drop = or drop one on the window: config.json, tokenizer.json, *.safetensors
model-id = Folder or hub id
model-load = Load
model-cache = A hub model is fetched once, then opened from the local cache without network
device = Device
device-auto = Auto
device-auto-tip = A GPU if there is one that this build can use, else the CPU
device-cpu-tip = The processor
device-cuda-tip = An NVIDIA GPU; needs a build with the feature cuda
device-metal-tip = An Apple GPU; on macOS
dtype = Numbers
dtype-auto = Auto
dtype-auto-tip = f32 on the CPU, the file's own format on a GPU
dtype-f32-tip = 4 bytes each
dtype-f16-tip = 2 bytes each: half the memory, a little less exact
loading = Loading…
loading-of = { $done } of { $total }

# The settings
settings = Settings
settings-language = Language
settings-language-tip = Of the window and, where there are some, of the lessons
settings-system = System
settings-theme = Colours
settings-zoom = Size
settings-smaller = Smaller
settings-larger = Larger
settings-usual = As usual
settings-motion = Motion
settings-still = Nothing glides or fades
settings-lessons = Lessons of your own
settings-lessons-note = A folder of lesson files. They stand in the list of lessons, and are read again whenever you save one
settings-lessons-choose = Choose a folder…
settings-lessons-hint = or type its path
settings-lessons-found = { $n ->
    [one] 1 lesson found
   *[other] { $n } lessons found
}

# Messages
keys = Keys
keys-note = In the prompt, Enter makes the first token and Esc leaves the field. A key acts only when the focused control does not use it
engine-stopped = The engine stopped. What was recorded is still here.
engine-restart = Restart the engine
engine-no-thread = no thread could be started for the engine: { $error }
orphans = { $n ->
    [one] Tokenscope did not end as it should. One session is in { $folder }:
   *[other] Tokenscope did not end as it should. { $n } sessions are in { $folder }:
}
orphan = { $n ->
    [one] The session “{ $prompt }” with 1 step was kept.
   *[other] The session “{ $prompt }” with { $n } steps was kept.
}
orphan-partial = Not all of its file can be read.
orphans-unreadable = { $n ->
    [one] A session that Tokenscope left when it did not end as it should cannot be read. It is kept in { $folder }, with a name that ends in “unreadable”; a later version may read it.
   *[other] { $n } sessions that Tokenscope left when it did not end as it should cannot be read. They are kept in { $folder }, with names that end in “unreadable”; a later version may read them.
}
orphan-open = Open it
orphan-forget = Forget it
dialog-folder = Choose a model folder
dialog-lessons = Choose a folder of lessons
dialog-session = Open a session
dialog-tokenizer = Choose a tokenizer.json
dialog-tokenizer-folder = Choose a folder with a tokenizer.json
dialog-failed = the dialog could not be opened: { $error }; type the path, or drop the file
