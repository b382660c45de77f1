# Text of the instruments that check and compare: two routes, planted bugs, checks, comparisons, ways to mask; and of
# the examples that they bring. In English, as en.ftl, which it is added to.

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
tolerance-displayed-note = numbers differ if they look different in the matrix, with { $digits } decimals
tolerance-exact-note = the last bit may differ by the order of summation alone: the batched route adds from the first term to the last, the other from the last to the first; that is no bug
verdict-agree = All rows agree.
verdict-one = Only row { $row } differs: look at row { $row } of the attention weights, or at the product that formed its entries. The first disagreement is at position { $position }, { $term ->
    [none] in no single term: the terms agree, their sum does not.
   *[other] in term { $term }.
  }
verdict-draws-on = Several rows differ ({ $list }), exactly those that draw on token { $token }: look at input { $token }, or at how the weights were built.
verdict-some = Several rows differ ({ $list }), and not exactly those that draw on one token: look at how the weights were built.
verdict-every = Every row that could differ does: look at the shared inputs, or at how the weights were built.
verdict-order = { $count ->
    [one] Only the order of adding differs (row { $list }): every term is the same.
   *[other] Only the order of adding differs (rows { $list }): every term is the same.
  }
verdict-rounding = { $count ->
    [one] Row { $list } differs by rounding alone: to 10⁻⁶ all rows agree.
   *[other] Rows { $list } differ by rounding alone: to 10⁻⁶ all rows agree.
  }
verdict-by = { $by ->
    [displayed] As displayed, { $count ->
        [0] no row differs
        [one] row { $list } differs
       *[other] rows { $list } differ
      }
   *[exact] To the last bit, { $count ->
        [one] row { $list } differs
       *[other] rows { $list } differ
      }
  }. To 10⁻⁶: { $verdict }
order-example = Open an input where the order shows
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
bug-place = Row for the first three
bug-plant = Plant
bug-plant-at = Plant in row { $place }
bug-needs = Needs { $why }.
bug-at = { $name }, row { $place }
bug-example = Open an example with such scores
bug-weight_altered = One weight altered
bug-weight_altered-about = In one row of the attention weights, one weight is 0.25 too large.
bug-term_wrong = One term wrong
bug-term_wrong-about = In one context row, the second number of head 1 has a term that reads the neighbouring column: the first number is right.
bug-input_altered = One input altered
bug-input_altered-about = The blend reads an altered copy of one row of values (or inputs); the matrices keep their numbers.
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
said-planted = Planted: { $name }.
said-mended = The bug is removed.
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
check-rowSums = Every row of attention weights sums to 1
check-meanWeight = The mean weight { $masked ->
    [yes] over allowed cells is 2/(T + 1)
   *[no] is 1/T
  } = { $expected }
check-causalLeak = Causal leak test: a change of a later token leaves earlier rows alone
check-causalLeak-where = Changing token { $token } moved { $count ->
    [one] row { $rows }.
   *[other] rows { $rows }.
  }
check-causalLeak-open = Without the causal mask rows may move: changing token { $token } moved { $count ->
    [one] row { $rows }.
   *[other] rows { $rows }.
  }
check-causalLeak-off = Without the causal mask rows may move; none does.
check-routes = Batched rows equal rows made one token at a time
check-splitHeads = Heads split from one matrix equal separate heads
check-splitHeads-off = It needs two heads or more.
check-splitHeads-where = { $count ->
    [one] Head { $heads } differs.
   *[other] Heads { $heads } differ.
  }
check-rows = { $count ->
    [one] Row { $rows }.
   *[other] Rows { $rows }.
  }
check-answers = Known answers from outside: published numbers and PyTorch’s
check-answers-count = { $passed } of { $count } come out, to the digits that each source gives
check-answers-running = { $done } of { $count } so far
check-answers-book = { $number ->
    [one] One of a book’s chapter on attention does not.
   *[other] { $number } of a book’s chapter on attention do not.
  }
check-answers-published = { $number ->
    [one] One of the course exercises and the tests of libraries does not.
   *[other] { $number } of the course exercises and the tests of libraries do not.
  }
check-answers-torch = { $number ->
    [one] One of PyTorch’s does not.
   *[other] { $number } of PyTorch’s do not.
  }

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
masking-same = −∞ before softmax, and renormalising after it, give the same row. Without renormalising only a part of the weight is left: the row does not sum to 1.
masking-last = The last row has nothing to mask: all ways give the same.
masking-zero = Row { $row }: after softmax every allowed weight has underflowed to 0, so there is nothing left to renormalise (0/0; the module leaves zeros). With −∞ before softmax the row is right.
masking-example = Open an input where renormalising fails

example-huge-scores = Huge scores: −10⁹ is not −∞
example-mask-underflow = Large scores: masking after softmax fails
example-summation-order = An input where the order of adding shows
origin-huge-scores = The example starts from numbers made up for teaching; not from a real model.
origin-mask-underflow = { origin-huge-scores }
origin-summation-order = { origin-huge-scores }
