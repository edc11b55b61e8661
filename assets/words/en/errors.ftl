# What goes wrong, and what is done while a model is loaded. What the system and other libraries say stands in the gaps as it comes.

# A model's files
error-no-folder = this is not a folder: choose the folder that holds config.json, tokenizer.json and model.safetensors: { $path }
file-not-regular = this is no regular file: choose one that is
file-too-large = it has more than the { $limit } bytes that such a file may have
file-not-text = it is not UTF-8: save it in that encoding
error-file-missing = { $file } is missing: { $hint }: { $folder }
error-file-unsupported = { $found } cannot be read: { $hint }: { $path }
error-file-broken = { $file } is broken ({ $reason }): get it again from where the model came from: { $folder }
error-file-too-large = { $file } has { $bytes } bytes, more than the { $limit } that such a file may have: choose a folder with the right file: { $folder }
error-file-escapes = { $file } names a file outside of the model's folder, { $shard }: do not use this model, or correct the list: { $folder }
error-io = { $what } failed ({ $source }): check that the place exists and that you may use it: { $path }
error-doing-listing = listing the folder
error-doing-reading = reading
error-doing-reading-weights = reading the weights
error-doing-writing = writing
error-file-exists = there is a file of this name already: save once more to replace it, or choose another name: { $path }
error-doing-opening = opening
error-doing-saving = saving
error-doing-autosave = autosave
error-hint-folder = choose the folder that holds config.json, tokenizer.json and model.safetensors (or its shards with model.safetensors.index.json)
error-hint-shard = model.safetensors.index.json names it; get the missing file from where the model came from
error-hint-index = there are several safetensors files, and it says which belong together; get it from where the model came from
error-hint-tokenizer = the tokenizer is there in another format only (such as tokenizer.model); convert it, for example with AutoTokenizer.from_pretrained(…).save_pretrained(…)
error-hint-gguf = get the safetensors files that it was made from
error-hint-pytorch = get its safetensors files, or save it again with save_pretrained(…)
error-hint-lfs = run `git lfs pull` in this folder
error-found-gguf = a GGUF model
error-found-pytorch = a model in PyTorch's own format
error-found-lfs = a Git LFS pointer, which only stands for the real file,
error-broken-object = not an object
error-broken-eos = eos_token_id is neither an id nor a list of ids
error-broken-index = it names no files
error-broken-file = not a file

# A model from the hub
error-hub-disk-full = the disk is full: make room, or set HF_HOME to a folder on another disk, and try again; what has come is kept: { $path }
error-hub-id = this is no model id: write it as owner/name, or owner/name@revision: { $id }
error-hub-not-found = the hub has no model of this name that it would show: check the spelling; for a private model, set the environment variable HF_TOKEN to a token that may read it: { $id }
error-hub-token = the hub does not accept your token: get a new one, or remove HF_TOKEN, HF_TOKEN_PATH and the file `token` in HF_HOME (usually ~/.cache/huggingface); a public model needs none: { $id }
error-hub-revision = the model has no such revision: check the part after the @, or leave it out: { $id }
error-hub-gated = this model is gated: ask for access on its page on the hub, then set the environment variable HF_TOKEN to your token: { $id }
error-hub-missing = the model has no { $file }: { $hint }: { $id }
error-hub-offline = the model is not complete in the local cache and the hub cannot be reached ({ $reason }): connect to the internet and try again, or open a folder or the bundled model: { $id }
error-hub-interrupted = the download of { $file } stopped after { $done } bytes ({ $reason }): try again, it will go on from there: { $id }
error-hub-refused = the hub did not give { $file } ({ $reason }): try again later, or check HF_ENDPOINT if you have set it: { $id }
error-hub-damaged = { $file } was damaged on its way, twice, and has been removed: try again later; if it happens each time, the hub or what stands between it and you changes the file: { $id }
error-hub-changed-in-cache = { $file } in the local cache is not what the hub gave: it has been changed or damaged there, and could not be fetched again: { $error }
error-hub-token-form = your token has a character that no token has, such as a space or a line end: correct HF_TOKEN, the file that HF_TOKEN_PATH names or the file `token` in HF_HOME (usually ~/.cache/huggingface), or remove it; a public model needs none
error-hub-no-access = the hub knows your token, but it may not read this model ({ $reason }): for a gated model, ask for access on its page on the hub; else set the environment variable HF_TOKEN to a token that may read it: { $id }
error-hub-client = no connection can be prepared ({ $reason }): where certificates are missing, install your system's package of them (often called ca-certificates)
error-hub-cancelled = cancelled: what has been downloaded is kept, and the next try goes on from there
error-hub-no-config = it is in another format, perhaps GGUF, or an addition to another model; choose one with config.json and model.safetensors
error-hub-no-weights = its weights are not there as safetensors (perhaps as GGUF or in PyTorch's format only); choose a model with model.safetensors
error-hub-no-tokenizer = its tokenizer is there in another format only; choose a model that has this file
error-hub-no-shard = its index names it; tell the model's authors
error-hub-changed = the model was changed on the hub in this moment
error-hub-circles = it sends us in circles
error-hub-no-rest = it does not give the rest of the file
error-hub-status = status { $status }
error-hub-too-many-bytes = it gives more bytes than it announced
error-hub-closed = the connection was closed
error-hub-no-headers = its answer lacks a proper ETag, X-Repo-Commit or size; is this a model hub?
error-hub-too-often = it wants us to ask less often
error-hub-asks-to-wait = status { $status }, with the request to wait { $n } s
error-hub-slow = hardly anything arrived for { $n } s
error-hub-endpoint = HF_ENDPOINT is no address: { $endpoint }

# While it is loaded
load-prefix-space = tokenizer_config.json sets add_prefix_space to { $wanted } and tokenizer.json says otherwise; tokenizer.json is followed, so the first word of a text may have another token than in transformers
load-legacy = tokenizer_config.json sets legacy to { $wanted } and tokenizer.json says otherwise; tokenizer.json is followed, so the first word after a special token may have another token than in transformers
load-weights = Reading the weights of { $model }
load-fetching = Fetching { $file }
load-checking = Checking { $file }
load-waiting = Trying { $file } again in { $n } s ({ $reason })
load-fault = the model could not be loaded because of a fault in this program
load-no-thread = no thread could be started to load the model: { $error }

# config.json
error-config-syntax = config.json is not a valid JSON object ({ $reason }); download the model again
error-config-lacks = config.json lacks `{ $name }`; download the model again or add the setting
error-config-bad = config.json sets `{ $name }` to { $value }, but { $problem }; download the model again or correct the setting
error-config-unsupported = config.json sets `{ $name }` to { $value }, which is not supported ({ $problem }); choose another model
error-architecture = the architecture { $name } is not supported; choose a model whose config.json names one of LlamaForCausalLM, MistralForCausalLM, Qwen2ForCausalLM, Qwen3ForCausalLM
config-no-object = it is not an object
config-plain-weights = weights must be plain F32, F16 or BF16
config-capped-logits = soft-capped logits are not implemented
config-capped-attention = soft-capped attention is not implemented
config-scaled-logits = scaled logits are not implemented
config-scaled-embeddings = scaled embeddings are not implemented
config-scaled-residuals = scaled residuals are not implemented
config-scaled-attention = another scale of attention is not implemented
config-experts = mixtures of experts are not implemented
config-no-multiple = `num_attention_heads` is { $n }, which is no multiple of it
config-no-divisor = `num_attention_heads` is { $n }, which does not divide it
config-mistral-biases = Mistral has no biases
config-llama-biases = only Llama may have biases in the MLP
config-object = it must be an object
config-size = it must be a whole number from 1 to { $most }
config-flag = it must be true or false
config-not-negative = it must be a number from 0 on
config-positive = it must be a number above 0
config-whole = it must be a whole number
config-names = it must be a list of names
config-even = rotary embeddings need an even number
config-activations = silu, gelu, gelu_pytorch_tanh, gelu_new and relu are
config-only-one = only 1 is
config-rope-layers = rotary settings for each type of layer are not implemented
config-rope-types = default, linear and llama3 are
config-only-causal = a model that looks ahead writes no text
config-rope-twice = `rope_parameters` is there as well and says something else: leave one of the two out
config-rope-factors = `high_freq_factor` is { $value } and must be greater
config-llama-window = Llama has none
config-layer-list = it must be a list of { $n } names, one for each layer
config-layer-types = full_attention and, with a window, sliding_attention are
config-mistral-layers = all layers of a Mistral are alike

# The weights
error-weights-read = the weights could not be read ({ $source }); check the file: { $path }
error-weights-damaged = the weights are damaged: { $problem }; download this file again: { $path }
error-weights-none = no weights were given; name at least one .safetensors file
error-tensor-missing = the weights lack the tensor `{ $name }`; check that config.json belongs to these weights and that all files are there: { $path }
error-tensors-unused = the weights hold { $n ->
    [one] a tensor
   *[other] { $n } tensors
  } that config.json makes no use of ({ $names }), so they belong to another model than it describes; correct config.json, or get it from where the weights came from: { $path }
error-tensor-shape = the tensor `{ $name }` has the shape { $found } where config.json calls for { $expected }; check that config.json belongs to these weights: { $path }
error-tensor-format = the tensor `{ $name }` is in the number format { $found }, but only F32, F16 and BF16 are read; choose unquantized weights: { $path }
weights-short = the file has only { $n } bytes
weights-header-long = a header of { $header } bytes in a file of { $file }
weights-header-invalid = the header is invalid, { $error }
weights-other-length = the file has { $file } bytes and its header speaks of { $expected }

# The device
error-not-built = { $device } cannot be used: this program was built without { $device }; build with --features { $feature }, or choose the CPU
error-no-device = { $device } cannot be used ({ $problem }); check its driver, or choose the CPU
error-dtype = { $dtype } is not supported on this device; choose f32 or f16
device-macos = it exists on macOS only
device-no-driver = its driver could not be loaded

# A pass of the model
error-pass-cancelled = the pass was cancelled
error-context-full = the context window is full: { $needed } positions are needed and the model has { $n }; shorten the prompt or generate fewer tokens
error-token-range = the token id { $id } is not below the model's vocabulary size of { $n }; check that the tokenizer belongs to this model
error-edit-fit = the change { $edit } does not fit this model: take it back
error-nothing-fed = there is nothing to feed: the prompt has no tokens; type some text
error-memory = there is not enough memory for { $what }; close other programs, shorten the prompt or choose a smaller model
error-memory-model-f16 = this model takes { $needed } in f32, and { $free } of memory are free: choose f16 as its number format, close other programs or choose a smaller model
error-memory-model = this model takes { $needed } in { $dtype }, and { $free } of memory are free: close other programs or choose a smaller model
error-compute = the computation failed ({ $reason }); try again on the CPU
memory-computation = the computation
memory-tensor = the tensor `{ $name }`
memory-logits = { $n } logits
memory-cache = a KV cache of { $n } positions
compute-no-numbers = a tensor is not a contiguous one of f32 or f16 on the CPU

# A run
error-empty-prompt = this model's tokenizer puts no start token in front of a text, so it needs a prompt: type at least one character
error-prompt-too-long = the prompt has { $n } tokens, but the context window holds { $most }: shorten it by { $excess }
error-patch-lengths = activations go from one text to the other position by position, but the first has { $clean } tokens and the second { $corrupted }: change a text until both have as many
error-patch-answers = both texts are answered with the same token, so there is no difference to bring back: change one of the texts, or choose two tokens to compare
error-run-ended = this run has ended: restart it or change the prompt
error-run-over = this run is over: restart it
error-no-model = no model is loaded yet: wait for it or choose another one

# The tokenizer
error-tokenizer-broken = tokenizer.json cannot be read: get the file again from where the model came from ({ $reason })
error-tokenizer-other = the tokenizer does not fit the model: it has token ids up to { $highest }, but the model only knows { $n } tokens; use the tokenizer.json that belongs to this model
error-encode = the text cannot be split into tokens: change it, or use another model ({ $reason })
error-tokenizer-fault = the tokenizers library failed on it; the file does not agree with itself
error-no-merges = this tokenizer looks up whole words: there is nothing to show of how it does that
error-tokenizer-unsupported = this tokenizer cannot be used: { $problem }; choose a model with another one
error-text-too-long = the text has { $n } bytes, and at most { $most } are split into tokens: shorten it
error-text-grows = the tokenizer makes more than { $most } bytes of this text before it splits it: shorten the text, or use another model
error-text-slow = the tokenizer's pattern { $pattern } takes too long for this text: shorten the text, or use another model
tokenizer-stages = it has { $n } steps of one kind, and at most { $most } are taken
tokenizer-around = it puts { $n } tokens around every text, and at most { $most } are taken
tokenizer-grows = it makes short texts endless
tokenizer-slow = its pattern { $pattern } takes too long
tokenizer-repeats = it writes every text several times
tokenizer-dropout = it leaves merges out at random (dropout { $share }), so the same text has other tokens each time; set `dropout` to null in tokenizer.json to use all merges
tokenizer-mark = its mark at each character is too long ({ $mark }), at most { $most } bytes are taken
tokenizer-long-words = it takes words of { $n } characters apart, and at most { $most } are taken
error-unknown-token = its token for what is unknown, { $name }, is not in its vocabulary
error-no-token = “{ $word }” has no token

# The samplers
error-logit = the model's logit of token { $id } is { $value }, which is no number to choose by: the weights may be damaged, or the number format too small for this model (try f32)
error-no-probability = the model gives no token any probability: the weights may be damaged
error-setting = { $name } must be { $range }, but is { $value }
error-no-such-token = there is no token { $id }: the model's ids go from 0 to { $last }
error-constraint = the { $name } cannot be used: { $reason }
error-off-constraint = the text so far does not fit the { $name }: restart, take a token that fits where it still did, or switch that stage off
error-constraint-met = the text matches the { $name } and cannot go on, and this model has no token to end it with
error-contradiction = no token goes on with both the regular expression and the JSON schema: switch one of them off
error-no-guide = a regular expression or a schema cannot be used here: switch that stage off
error-other-vocabulary = the models have different tokens ({ $a } and { $b }), so their distributions cannot be compared
error-bias-twice = the token { $id } has two biases: give it one
error-stage-twice = { $stage } stands in the chain twice: leave one out
error-stage-unknown = `{ $text }` is no stage: there are { $all }
error-stage-form = `{ $text }` is no stage: write it like { $form }
constraint-regex = regular expression
constraint-json = JSON schema
constraint-at = { $what }, at character { $n }
constraint-anchors = \b, ^ and $ cannot be used: leave them out, the whole text has to match anyway
constraint-one-of = it cannot be told that only one part of a oneOf matches: write anyOf instead
constraint-nothing = no token of this model leads to a text that matches
constraint-large-number = `{ $keyword }` has { $value }, but whole numbers are exact here up to 9,007,199,254,740,991 only: stay within that
setting-repetition = the repetition penalty
setting-presence = the presence penalty
setting-frequency = the frequency penalty
setting-temperature = the temperature
setting-top-p = top-p
setting-min-p = min-p
setting-typical = typical
setting-top-n-sigma = top-n-sigma
setting-xtc-threshold = XTC's threshold
setting-xtc-probability = XTC's probability
setting-mirostat-tau = Mirostat's τ
setting-mirostat-eta = Mirostat's η
setting-bias = a logit bias
range-positive = a number above 0
range-any = a number
range-from-zero = a number from 0 up
range-share = from 0 to 1
range-positive-share = above 0 and at most 1
range-bias = a number, or -inf to ban the token

# Session files
error-no-session = this is no session file of Tokenscope: choose one that it saved: { $path }
error-session-header = the beginning of this session file is damaged ({ $reason }), so nothing of it can be shown: look for another copy: { $path }
error-session-not-file = { $reason }: { $path }
error-session-disk-full = the disk is full: make room and save again; what was saved before is as it was: { $path }
error-session-not-kept = the session is not kept for a crash: { $error }
session-later = this session was saved by a later version of Tokenscope (format { $format }, this one reads up to { $reads }): get the latest version to see all of it
session-later-lines = this session was saved by a later version of Tokenscope (format { $format }, this one reads up to { $reads }, and { $n } of its lines are not understood): get the latest version to see all of it
session-cut = the file is cut off: { $n ->
    [one] 1 step could be read
   *[other] { $n } steps could be read
}
session-damaged = the file was changed or damaged: { $n ->
    [one] 1 step could be read before that place
   *[other] { $n } steps could be read before that place
}
session-no-end = the file has no end: { $n ->
    [one] 1 step could be read
   *[other] { $n } steps could be read
}
session-too-much = the file unfolds to more than a session of its size can be: { $n ->
    [one] 1 step could be read before that place
   *[other] { $n } steps could be read before that place
}
session-unplaced = { $n ->
    [one] 1 step was left out, since its branch or the step before it is missing: step { $step } of branch { $branch }
   *[other] { $n } steps were left out, since their branch or the step before them is missing; the first: step { $step } of branch { $branch }
}
session-many-branches = it lists more branches than a session has; the first { $n } are read
session-broken-lines = { $n ->
    [one] 1 line makes no sense and was left out: { $first }
   *[other] { $n } lines make no sense and were left out; the first: { $first }
    }
session-header-cut = the file is cut off
session-second-header = a second beginning
session-long-line = a line with more in it than any that was ever saved
session-range = `{ $name }` is { $value } and can be from { $low } to { $high }
session-step = step { $step } of branch { $branch }: { $reason }
session-special = a special token that is not in the vocabulary
session-no-byte = { $c } is no byte
session-fates = the candidates and their fates do not match
session-no-edits = a step's changes of the model are missing
session-no-stage = a candidate was dropped by a stage that is not there
session-lists = the lists of a distribution are not of one length
session-no-candidates = a token of the prompt without candidates

# Links
error-no-link = this is no link: one begins with { $scheme }
error-link-number = the { $name } of this link is no whole number: { $value }
error-link-samplers = the samplers of this link cannot be read: { $reason }

# Lesson files
wrong-line = line { $line }: { $message }
wrong-edited = { $file }, line { $line }: { $message }. Until then the lesson stays as it was
wrong-mended = Read again: { $file }
wrong-no-lesson = there is no scene in it
wrong-too-long = the file has more than a megabyte: a lesson has a few pages
wrong-no-header = the file must begin with a line `+++`, the header and another `+++`
wrong-header-open = the header has no end: put a line `+++` behind it
wrong-header = the header cannot be read: { $reason }
wrong-scene-twice = there are two scenes `{ $id }`: give each an id of its own
wrong-scene = this scene cannot be read: { $reason }
wrong-part = no scene has the id `{ $id }`: correct one of the two, or leave this part out
wrong-no-scene = a lesson needs at least one [[scene]]
wrong-minutes = minutes must be from 1 to 60
wrong-control = there is no control `{ $name }`: take one of { $all }
wrong-part-twice = a second part `{ $id }`: join them
wrong-stray-text = text in front of the first `## ` belongs to no scene
wrong-value = there is no value { $value }: lessons/README.md lists them
wrong-picture = a lesson has no pictures: point at what is on the screen
wrong-html = a lesson has no HTML: write Markdown, or put it into `code`
wrong-point = there is nothing called `{ $name }` to point at: there are { $all }, and chart., loop. and stage. with a name behind
wrong-term = the glossary has no term `{ $name }`
wrong-link = a link must begin with point:, term: or https:, not `{ $target }`
wrong-no-text = the scene has no text: write a part `## { $id }` behind the header
wrong-empty-check = the check looks at nothing: say what is to be done
wrong-no-solution = a check needs a solution that fulfils it
wrong-answers = `{ $question }` needs two answers or more, of which exactly one is right
wrong-no-why = the wrong answer `{ $text }` needs a why
wrong-count = steps and ranks count from 1
wrong-name = `{ $name }` is no { $what }: there are { $all }
wrong-what-overflow = end of the window
wrong-what-station = station of the loop
wrong-what-chart = chart
wrong-what-scale = scale
wrong-what-text = way to write the text
wrong-what-tint = tint
wrong-what-section = section of the inspector
wrong-what-stage = sampler stage
wrong-what-end = end
wrong-what-part = picture of the embeddings
wrong-what-zoom = zoom of the map
wrong-what-measure = measure of a head
wrong-what-patch = place that can be patched
wrong-head = `{ $name }` is no head: write layer and head as in L3 H5
wrong-part-of-model = `{ $name }` is no part of the model: write L3 H5, L3 attention, L3 MLP, L3 or embeddings
