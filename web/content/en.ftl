# All visible text of the page, in English. Keys by place; arguments are preformatted text or counts.
# Rows, tokens and heads count from 1 here.

title = Attention, row by row
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

settings = Settings
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
cell-entry = { $matrix }, row { $row }, column { $column }
read-weight = { $query } (row { $row }) looks at { $key } (column { $column }) with weight exactly { $value }
read-entry = { $name }, row { $row }, column { $column }: exactly { $value }
read-typed = typed as { $value }; the mask divides the row by the sum of its allowed entries
read-none = Point at a number, or move through a matrix with the arrow keys, to read it exactly and see how it came to be. The keys [ and ] step through its terms.

legend-weights = weights
legend-inputs = inputs, context
legend-values = inputs, values, context
legend-parameters = weight matrices
legend-out-of-range = outside of 0 … 1

blend-title = How row { $row } is blended
blend-none = Row { $row } draws on nothing: all its weights are 0.
blend-bar = Row { $row } blends { $parts }
blend-part = { $label } { $percent } %
blend-negative = A bar cannot show negative weights or weights that add to more than 1; the written sum is exact all the same.
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
add-dimension-name = + dim: add an input dimension
remove-dimension = − dim
remove-dimension-name = − dim: remove the last input dimension
add-output = + column
add-output-name = Add a column to the query, key and value weights
remove-output = − column
remove-output-name = Remove the last column of the query, key and value weights

edit-sign = Change the sign
edit-done = Done
edit-cancel = Cancel
edit-help = Enter keeps the number, Escape leaves it as it was.

said-open = Opened: { $name }.
said-reset = Reset: { $name }, as it was at first.
said-undo = Undone: { $what }.
said-redo = Done again: { $what }.
did-open = opening an example
did-reset = resetting the example
did-edit = a change in { $matrix }
did-label = a token label
did-causal = the causal mask
did-heads = the number of heads
did-scale = the scale
did-source = where the weights come from
did-project = the output projection
did-resize = a change of size

problem-number = { $why ->
    [empty] The field is empty: expected a number such as 0.25, −1 or 1e-3.
    [large] “{ $text }” is too large: a number here is at most 3.4e38 in size (float32).
    [small] “{ $text }” is too close to 0: a number here is 0, or at least 1.4e−45 in size (float32).
   *[text] “{ $text }” is not a number that can stand here: expected a finite number such as 0.25, −1 or 1e-3.
  } The old value { $old } stays.
hint-computed = { $matrix }: computed, so there is nothing to type over. They follow { $tensor ->
    [context_vecs] the attention weights and the { $source ->
        [trained] values
       *[other] inputs
      }
    [outputs] the context vectors and W_out
    [queries] the inputs and W_query
    [keys] the inputs and W_key
    [values] the inputs and W_value
   *[other] the { $source ->
        [trained] queries and keys: the inputs, W_query and W_key
       *[other] inputs
      }
  }.
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
failed-module = The WebAssembly module inside this page is damaged: { $reason }.
failed-what-to-do = Load the page again. If that does not help, get a fresh copy of the file, or open it in a current Chrome, Edge, Firefox or Safari.

did-fault = planting a bug
did-mend = removing the bug
instruments = Instruments
panel-scores = Queries, keys, scores

# Blend bars, plane, shapes, flow
legend-row-bars = weights of a row

panel-plane = Plane
plane-title-inputs = Inputs and context vectors
plane-title-values = Values and context vectors
plane-title-alone = Inputs
plane-rows-inputs = inputs
plane-rows-values = values
plane-across = Across
plane-up = Up
plane-line = There is one dimension only: the points lie on a line.
plane-inputs = Circles are inputs, which move; squares are context vectors.
plane-values = Inputs move. Values are computed from them, so they cannot be moved themselves; squares are context vectors.
plane-moving = Drag a point, or move it with the arrow keys (with Shift: finer). Its numbers change with it.
plane-reading = The context vector of row { $row } is held by a spoke to each of the { $rows } that it draws on, as thick as its weight.
plane-within = It lies within the shaded hull around them.
plane-leaves = It lies outside of the shaded hull around them, where it cannot lie if its weights are 0 or more, sum to 1 and blend these { $rows }.
plane-contexts = Row whose blend is shown
plane-value = value { $row }, { $label }
plane-context = context vector { $row }, { $label }
plane-row = row { $row }
plane-slider = point that moves
plane-point = { $name }: { $where }
plane-exactly = { $name }: exactly { $where }
plane-none = Go to a point to read its numbers exactly.

panel-shapes = Shapes
shapes-heads = Shapes of
shapes-one-head = one head
shapes-all-heads = all { $heads } heads
shapes-columns = Of the matrices, the columns of that head alone.
shapes-try = What if { $name } had another number of rows?
shapes-as-is = { $rows }, as it is
shapes-queries = Project: queries
shapes-keys = Project: keys
shapes-values = Project: values
shapes-split = Split into heads
shapes-scores = Scores
shapes-softmax = Softmax over each row
shapes-blend = Blend
shapes-concat = Heads side by side
shapes-output = Output projection
shapes-misfit = These do not fit: { $left } { $leftSize } has { $columns } columns, { $right } { $rightSize } has { $rows } rows. The inner sizes { $columns } and { $rows } must be equal. So { $name } has no value.
shapes-no-value = has no value

panel-flow = Flow
flow-how = How much of the flow is shown
flow-folded = folded
flow-unfolded = unfolded
flow-about = A map of this configuration: choose a station to go to its numbers.
flow-station = { $name }, { $code }, { $shape }, leads to { $next }
flow-station-last = { $name }, { $code }, { $shape }
flow-trainable = trainable
flow-each = { $size } each
flow-inputs = Inputs
flow-matrices = Weight matrices
flow-w_query = W_query
flow-w_key = W_key
flow-w_value = W_value
flow-w_out = W_out
flow-queries = Queries
flow-keys = Keys
flow-values = Values
flow-scores = Scores
flow-mask = Mask
flow-softmax = Softmax
flow-given = Given weights
flow-sum = Weighted sum
flow-context = Context vectors
flow-outputs = Outputs
flow-code-inputs = inputs
flow-code-queries = queries
flow-code-keys = keys
flow-code-values = values
flow-code-scores = attn_scores
flow-code-mask = later tokens
flow-code-softmax = attn_weights
flow-code-given = attn_weights
flow-code-sum = { $masked ->
    [yes] of all allowed
   *[no] of all
  }
flow-code-context = context_vecs
flow-code-outputs = outputs
said-tensor = { $tensor }: { $size }.
