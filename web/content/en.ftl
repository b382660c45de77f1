# All visible text of the page, in English. Keys by place; arguments are preformatted text or counts.
# Rows, tokens and heads count from 1 here.

title = Attention, row by row
tagline = Each row of weights blends the value rows into one context row.
starting = Starting: the attention code is being loaded.
chapters = Chapters
example = Example

example-warm-up = Warm-up: three tokens
example-simplified = Simplified: six tokens
example-trainable = Trainable: six tokens
example-causal = Causal: six tokens
example-multi-head = Multi-head: six tokens
chapter-warm-up = Warm-up: Blend
chapter-simplified = Simplified
chapter-trainable = Trainable
chapter-causal = Causal
chapter-multi-head = Multi-head

origin-warm-up = The example starts from numbers made up for teaching; not from a real model.
origin-simplified = The example starts from inputs made up for teaching; not from a real model.
origin-trainable = The example starts from inputs made up for teaching, and from W_query, W_key and W_value drawn as torch.rand draws them (seed 123), not trained; not from a real model.
origin-causal = { origin-trainable }
origin-multi-head = The example starts from inputs made up for teaching, from W_query, W_key and W_value drawn as nn.Linear draws them (seed 123), not trained, and from the identity as W_out; not from a real model.

undo = Undo
redo = Redo
reset = Reset example

causal-mask = Causal mask
heads = Heads
heads-why-trainable = heads need trainable weights
heads-why-divide = { $count ->
    [one] { $list } does not divide d_out = { $dOut }
   *[other] { $list } do not divide d_out = { $dOut }
  }
scale = Scale
scale-none = none
scale-sqrt = 1/√d_k
scale-note = d_k = { $headDim }
source = Attention weights come from
source-given = given
source-inputs = inputs·inputsᵀ
source-trained = trainable
project = Output projection

headline-inputs = Each row of attention weights blends { $masked ->
    [yes] the allowed inputs
   *[no] all the inputs
  } into one context row
headline-values = Each row of attention weights blends { $masked ->
    [yes] the allowed values
   *[no] the values
  } into one context row
axes-rows = rows: query, the token that looks
axes-columns = columns: key, the token looked at
shape-name = { $rows } by { $inner } times { $inner } by { $columns } gives { $rows } by { $columns }; the inner sizes match and cancel
shape-head = in each head

name-inputs = Inputs
name-attn_weights = Attention weights
name-attn_weights-head = Attention weights, head { $head }
name-given = Attention weights
name-values = Values
name-context_vecs = Context vectors
name-outputs = Outputs
name-w_query = Query weights
name-w_key = Key weights
name-w_value = Value weights
name-w_out = Output weights
name-queries = Queries
name-keys = Keys
name-attn_scores = Attention scores
name-attn_scores-head = Attention scores, head { $head }

sum = sum
query-row = query { $number } { $label }
key-column = key { $number } { $label }
head-columns = head { $head }
masked = masked
masked-why = masked: { $query } may not look ahead at { $key }
row-region = Weights, values and context vectors, row by row
token-label = label of token { $number }
cell-weight = row { $row } ({ $query } looks), column { $column } ({ $key } is looked at)
cell-entry = { $matrix }, row { $row }, column { $column }
read-weight = { $query } (row { $row }) looks at { $key } (column { $column }) with weight exactly { $value }
read-entry = { $name }, row { $row }, column { $column }: exactly { $value }
read-typed = typed as { $value }; the mask divides the row by the sum of its allowed entries
read-editable = Enter or a digit edits.
read-fixed = Computed: it follows from the numbers that can be edited.
read-none = Point at a number, or move through a matrix with the arrow keys, to read it exactly.

legend-weights = attention weights
legend-inputs = inputs, context vectors
legend-values = inputs, values, context vectors
legend-parameters = weight matrices

blend-title = How row { $row } is blended
blend-none = Row { $row } draws on nothing: all its weights are 0.
blend-bar = Row { $row } blends { $parts }
blend-part = { $label } { $percent } %
blend-negative = A bar cannot show negative weights or weights that add to more than 1; the sum below is exact all the same.
inspector-title = Row { $row } · “{ $label }”
previous-row = Previous row
next-row = Next row
term-masked = { $count ->
    [one] Token { $list } is masked: it is left out.
   *[other] Tokens { $list } are masked: they are left out.
  }
rounded = Shown with { $digits } decimals; computed from exact values.
routes-agree = Two routes agree
routes-differ = Two routes differ
routes-count = { $agree } of { $rows } rows
routes-about = Computed again by separate code, one token at a time.

odd-row = Row { $row } of the given weights sums to { $sum }, not to 1.
odd-row-zero = It has nothing to be divided by.
normalise = Normalise row { $row }

heads-title = All heads
show-head = Show head { $head }
head-shown = shown above
sizes-heads = d_out { $width } = { $heads } heads × head_dim { $headDim }
sizes-concat = Context rows of the heads stand side by side: [{ $list }], { $rows } × { $width }.
outputs-title = outputs = context_vecs @ w_out
outputs-identity = W_out is the identity: it changes nothing until you edit it.
scores-inputs = attn_scores = inputs @ inputs.T{ $scaled }, then softmax over each row
scores-trained = attn_scores = queries @ keys.T{ $scaled }, then softmax over each row
scores-scaled = {" "}/ √{ $headDim }
parameters-title = Trainable weight matrices
parameters-note = They multiply from the right: inputs @ w_query.

add-token = + token
add-token-name = Add a token
remove-token = − token { $number }
remove-token-name = Remove token { $number }, { $label }
add-dimension = + dim
add-dimension-name = Add an input dimension
remove-dimension = − dim
remove-dimension-name = Remove the last input dimension
add-output = + column
add-output-name = Add a column to the query, key and value weights
remove-output = − column
remove-output-name = Remove the last column of the query, key and value weights

guide-given = Try it: change a weight in row { $row }. Which numbers on the right will move?
guide-inputs = Try it: change one input. Its scores with every token change, so weights move in every row.
guide-trained = Try it: change a number in W_query. The scores move, the values stay: only the blend shifts.
guide-given-causal = Try it: switch the mask off. The weights you typed come back.
guide-trained-causal = Try it: change the last token. The rows above it stay exactly as they are.
guide-trained-heads = Try it: choose another head. Same inputs, other weights, its own columns of the values.

edit-sign = Change the sign
edit-done = Done
edit-cancel = Cancel
edit-help = Enter keeps the number, Escape leaves it as it was.

said-open = Opened: { $name }.
said-undo = Undone: { $what }.
said-redo = Done again: { $what }.
did-open = opening an example
did-edit = a change in { $matrix }
did-label = a token label
did-causal = the causal mask
did-heads = the number of heads
did-scale = the scale
did-source = where the weights come from
did-project = the output projection
did-resize = a change of size

problem-number = “{ $text }” is not a number that can stand here: expected a finite number such as 0.25, −1 or 1e-3. The old value { $old } stays.
problem-label-empty = A token label needs at least one character; the old label stays.
problem-label-long = A token label may have at most { $limit } characters, this one has { $length }; the old label stays.
problem-heads = The number of heads must divide d_out = { $dOut }: { $valid }; got { $count }.
problem-width-heads = With d_out = { $dOut } the number of heads must be one of { $valid }; it is { $heads }. Choose the heads first, then the size.
problem-tokens-none = At least one token is needed; this is the last one.
problem-tokens-many = The page shows at most { $limit } tokens.
problem-dimensions-none = At least one input dimension is needed; this is the last one.
problem-dimensions-many = The page shows at most { $limit } input dimensions.
problem-outputs-none = At least one output column is needed; this is the last one.
problem-outputs-many = The page shows at most { $limit } output columns.
problem-not-finite = { $column ->
    [0] The sum of row { $row } of attn_weights would be too large for a number here.
   *[other] { $tensor }, row { $row }, column { $column }, would be too large for a number here.
  } Expected at most 3.4e38 in size. Your change was not made; everything is as it was.
problem-engine = { $message }. Your change was not made; everything is as it was.
problem-zero-sum = Row { $row } sums to 0, so there is nothing to divide it by.
dismiss = Dismiss

failed-title = The page could not start
failed-what-to-do = Load the page again. If that does not help, get a fresh copy of the file, or open it in a current Chrome, Edge, Firefox or Safari.

did-fault = planting a bug
did-mend = removing the bug
instruments = Instruments
panel-scores = Queries, keys, scores

# Two routes, planted bugs, checks, comparisons, masking
panel-routes = Two routes
panel-bugs = Planted bugs
panel-checks = Checks
panel-compare = Compare
panel-masking = Ways to mask
row-name = row { $row } { $label }

routes-open = Show both routes
tolerance = Tolerance
tolerance-usual = 10⁻⁶
tolerance-displayed = as displayed
tolerance-exact = exact
tolerance-usual-note = relative to the size of the terms
tolerance-displayed-note = half a unit of the last of { $digits } decimals, relative to the size of the terms
tolerance-exact-note = the last bit may differ by the order of summation alone; that is no bug
verdict-agree = All rows agree.
verdict-one = Only row { $row } differs: look at row { $row } of the attention weights, or at the product that formed its entries. The first disagreement is at position { $position }, { $term ->
    [none] in no single term: the terms agree, their sum does not.
   *[other] in term { $term }.
  }
verdict-draws-on = Several rows differ ({ $list }), exactly those that draw on token { $token }: look at input { $token }, or at how the weights were built.
verdict-some = Several rows differ ({ $list }), and not exactly those that draw on one token: look at how the weights were built.
verdict-every = Every row that could differ does: look at the shared inputs, or at how the weights were built.
look-at-row = Choose row { $row }
routes-differences = Batched − one token at a time, every number
routes-chosen = Row { $row } by both routes
routes-terms = Row { $row }, position { $position }: the terms of both routes
route-batched = batched
route-one-token = one token at a time
route-difference = difference
term = term
term-name = term { $token }, { $label }
replay-title = Tokens arrive one by one
replay-start = Let the tokens arrive one by one
replay-back = One token less
replay-next = Next token
replay-stop = Stop
replay-first = This is the first token.
replay-last = All tokens are here: these are the rows above.
replay-alone = Only { $label } is here, so it can draw on nothing but itself.
replay-moved = Token { $count } ({ $label }) arrived, and { $number ->
    [one] an earlier row moved: row { $rows }. It draws on the new token.
   *[other] earlier rows moved: rows { $rows }. They draw on the new token.
  }
replay-stayed = Token { $count } ({ $label }) arrived. No earlier row moved{ $masked ->
    [yes] : the causal mask lets none of them look ahead.
   *[no] : none of them draws on it.
  }
replay-not-yet = Row { $row } is built when its token arrives.
replay-column = this step
replay-new = new
replay-moved-word = moved
replay-stayed-word = as before
replay-later = not yet

bug-banner = Planted bug
bug-banner-named = Planted bug: { $name }.
bug-banner-mystery = A mystery bug is planted (seed { $seed }).
bug-banner-note = The batched numbers are wrong on purpose; the other route is right.
bug-banner-hidden = It cannot show here: it needs { $why }.
bug-mend = Remove the bug
bugs-about = Each replaces one stage of the batched route. Plant one, see what the checks and the other route say, remove it.
bug-place = Row or token for the first three
bug-plant = Plant
bug-plant-at = Plant in { $place }
bug-needs = Needs { $why }.
bug-at = { $name }, { $place }
bug-example = Open an example with such scores
bug-weight_altered = One weight altered
bug-weight_altered-about = In one row of the attention weights, one weight is 0.25 too large.
bug-term_wrong = One term wrong
bug-term_wrong-about = In one context row, the second number of head 1 has a term that reads the neighbouring column: the first number is right.
bug-input_altered = One input altered
bug-input_altered-about = The blend reads an altered copy of one value row; the matrices keep their numbers.
bug-softmax_columns = Softmax over columns
bug-softmax_columns-about = Weights sum to 1 down each column, not along each row.
bug-mask_off_by_one = Mask off by one
bug-mask_off_by_one-about = Each token may also look at the next one.
bug-mask_after_softmax = Mask after softmax
bug-mask_after_softmax-about = Later weights become 0 only after softmax, and the rest is not divided by its sum.
bug-mask_fill_zero = Masked scores filled with 0
bug-mask_fill_zero-about = A masked score is 0 instead of −∞, so it still gets a weight.
bug-mask_fill_large = Masked scores filled with −10⁹
bug-mask_fill_large-about = A masked score is −10⁹ instead of −∞: the mask fails where all allowed scores are lower.
bug-scale_missing = Scale missing
bug-scale_missing-about = Scores are not divided by √d_k.
bug-scale_sqrt_d_out = Scale by √d_out
bug-scale_sqrt_d_out-about = Scores are divided by the root of the whole width, not of one head’s.
bug-query_key_swapped = Query and key swapped
bug-query_key_swapped-about = The score of query i with key j is computed from query j and key i.
bug-heads_reshaped = Heads split by a plain reshape
bug-heads_reshaped-about = A head takes consecutive numbers instead of its own columns, which mixes tokens.
missing-scores = scores: weights that come from inputs·inputsᵀ or are trainable
missing-trained = trainable weights
missing-causal = the causal mask
missing-scale = the scale 1/√d_k, with d_k above 1
missing-sqrt_head_dim = the scale 1/√d_k
missing-two_heads = two heads or more
missing-two_values = at least two numbers in a head’s value row
missing-two_tokens = at least two tokens
missing-huge_scores = a row whose allowed scores are all −10⁹ or lower

mystery-title = Mystery bug
mystery-about = A seed picks a bug that shows here. Use the checks and both routes to find it, say where it is, then reveal it. The same seed in the same state picks the same bug.
mystery-seed = Seed
mystery-range = a whole number from 0 to { $limit }
mystery-plant = Plant a mystery bug
mystery-where = Where is it?
mystery-choose = choose a place
mystery-stages = A stage
mystery-reveal = Reveal
mystery-first = Say first where you think it is.
mystery-change = You can still change your mind.
mystery-said = You said: { $place }.
mystery-is = It is: { $name } (place: { $place }).
place-inputs = inputs
place-projections = projections (queries, keys, values)
place-scores = scores
place-scale = scale
place-mask = mask
place-softmax = softmax
place-heads = heads
place-weights-row = weights, row { $row }
place-weights-rows = Attention weights, one row
place-blend-row = blend, row { $row }
place-blend-rows = The blend, one row
said-mystery = A mystery bug is planted, seed { $seed }.
problem-seed = “{ $text }” is not a seed: expected a whole number from 0 to { $limit }.
problem-no-bug = No bug can show with these numbers; nothing was planted.

checks-about = The same checks that the tests of this page run, on the numbers on screen now.
check = Check
check-figure = Largest difference
check-result = Result
check-running = running
check-passed = holds
check-failed = fails
check-off = not here
check-row-sums = Every row of attention weights sums to 1
check-mean-weight = The mean weight is { $masked ->
    [yes] 2/(T + 1), over allowed cells
   *[no] 1/T
  } = { $expected }
check-causal-leak = Causal leak test: a change of a later token leaves earlier rows alone
check-causal-leak-where = Changing token { $token } moved { $count ->
    [one] row { $rows }.
   *[other] rows { $rows }.
  }
check-causal-leak-open = Without the causal mask rows may move: changing token { $token } moved { $count ->
    [one] row { $rows }.
   *[other] rows { $rows }.
  }
check-causal-leak-off = Without the causal mask rows may move; none does.
check-routes = Batched rows equal rows made one token at a time
check-split-heads = Heads split from one matrix equal separate heads
check-split-heads-off = It needs two heads or more.
check-split-heads-where = { $heads } differ.
check-rows = { $count ->
    [one] Row { $rows }.
   *[other] Rows { $rows }.
  }
check-answers = Known answers from outside: published numbers and PyTorch’s
check-answers-count = { $passed } of { $count }
check-answers-running = { $done } of { $count } so far
check-answers-more = and { $count } more

pin = Pin this state
pin-again = Pin this state instead
unpin = Unpin
pin-about = Pin it, then change something: the mask, the heads, a number. What differs shows here.
pin-next = Change something above: the difference is what is on the screen less what was pinned.
pinned-was = Pinned: { $what }
pinned-is = On screen: { $what }
pinned-heads = { $count ->
    [one] 1 head
   *[other] { $count } heads
  }
pinned-bug = with a bug
pinned-head = pinned, head { $head }
mask-on = causal mask
mask-off = no mask
difference-of = Difference: { $name }
difference-heads = head { $head } less head { $other } of the pinned state
difference-none = The shapes do not agree: now { $now }, pinned { $then }.
difference-zero = Nothing differs.
difference-legend = difference
readouts-title = What each head does
readout-entropy = entropy, bits
readout-self = on itself
readout-previous = on the previous token
readout-first = on the first token
readout-mean_weight = mean weight
readout-none = no row has a previous token
readouts-note = Means over the rows. Entropy is at most log₂ { $tokens } = { $most } bits: every token alike; 0 bits: one token alone. The mean weight is over allowed cells.

masking-about = Row { $row } ({ $label }): the same scores, masked in three ways.
masking-no-bug = Computed without the planted bug.
masking-needs-scores = There are no scores to mask: the weights are given. Take them from inputs·inputsᵀ or trainable matrices.
masking-table = Ways to mask row { $row }, { $label }
masking-weights = weights of row { $row }
masking-context = context row { $row }
masking-open = no mask
masking-before = −∞ before softmax
masking-renormalised = after softmax, renormalised
masking-after = after softmax, not renormalised
masking-same = The first two give the same row. The third keeps only a part of the weight: its row does not sum to 1.
masking-last = The last row has nothing to mask: all ways give the same.
masking-zero = Row { $row }: after softmax every allowed weight has underflowed to 0, so there is nothing left to renormalise (0/0; the module leaves zeros). With −∞ before softmax the row is right.
masking-example = Open an input where renormalising fails

example-huge-scores = Huge scores: −10⁹ is not −∞
example-mask-underflow = Large scores: masking after softmax fails
origin-huge-scores = The example starts from numbers made up for teaching; not from a real model.
origin-mask-underflow = { origin-huge-scores }
