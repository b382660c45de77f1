# The inspector of numbers, and how numbers are shown

name-given_weights = Weights as typed
name-attn_row_sums = Sum of a row of attention weights
name-attn_column_sums = Sum of a column of attention weights
place = { $matrix }, row { $row }, column { $column }
place-entry = { $matrix }, number { $number }
place-head = { $name }, head { $head }
trail = The way here
trail-back = ‹ Back
trail-back-to = ‹ Back to { $place }
trail-close = Close this number
factor-name = { $text }: { $place }, exactly { $value }. How it came to be
factor-exact = { $place }: exactly { $value }

steps = Step through the terms
steps-open = Step
steps-added = { $added } of { $count } { $count ->
    [one] term
   *[other] terms
  }
step-none = No terms
step-back = One term back
step-on = Next term
step-all = All terms
so-far = = { $sum } so far

trace-score = Query { $row } · key { $column }: their numbers multiplied pair by pair and added up{ $scaled ->
    [yes] , then scaled
   *[no] {""}
  }.
trace-softmax = Softmax: exp(score − max) of this key, divided by the sum of the same over { $masked ->
    [yes] all allowed keys
   *[no] all keys
  }.
trace-blend = Weighted sum: each weight of row { $row } times a number of column { $column } of the { $blended ->
    [inputs] inputs
   *[values] values
  }, added up.
trace-projection = Matrix product: row { $row } of the inputs times { $linear ->
    [yes] row
   *[no] column
  } { $column } of { $matrix }, added up.
trace-output = Matrix product: context row { $row } times { $linear ->
    [yes] row
   *[no] column
  } { $column } of the output weights, added up.
trace-row_sum = All attention weights of row { $row }, added up.
trace-column_sum = All attention weights of column { $column }, added up. Only rows must sum to 1.
trace-given = Typed in: attention weights are given here, nothing was computed.
trace-given_masked = The weight as typed, divided by the sum of the allowed weights of row { $row }.
trace-masked = Masked: { $query } may not look ahead at { $key }. { $kind ->
    [score] The score is −∞, so that softmax gives it no weight.
   *[other] The weight is exactly 0, and no term of the sum.
  }
trace-same = Nothing was computed: without trainable matrices these are the inputs.
trace-input = { $kind ->
    [parameter] A parameter: nothing was computed. Edit it in its matrix.
   *[other] Typed in: nothing was computed. Edit it in its matrix.
  }

term-left = { $operation ->
    [score] query
    [softmax] score
    [projection] input
    [output] context
    [given_masked] as typed
   *[other] weight
  }
term-right = { $operation ->
    [score] key
    [blend] { $blended ->
        [inputs] input
       *[values] value
      }
   *[other] matrix
  }
term-product = { $operation ->
    [softmax] exp(· − max)
   *[other] product
  }
term-running = so far
term-now = Term { $added } of { $count }: { $term }; so far { $running }
trace-scale = { $sum } × scale { $scale }
trace-max = max = { $max }, the largest score of the row
trace-divided = { $own } / { $total }
trace-nothing = The allowed weights add up to 0: there is nothing to divide by, and the row draws on nothing.
trace-holds = ; the matrix holds { $value }
trace-differs = {" "}by this arithmetic, but the matrix holds { $value }
trace-exact = Exactly { $value }. Shown with { $digits } decimals.
trace-elsewhere = Some of these numbers stand in a folded part of the page.
trace-open = Open { $panel }

panel-numbers = Numbers
digits = Digits (0–6)
digits-fewer = one digit fewer
digits-more = one digit more
column-sums = Column sums
kernels = Kernels
kernels-plain = plain
kernels-simd = fast
kernels-are = Plain: every sum in double precision (about 16 digits), rounded once. Fast: four numbers at a time, in single precision (about 7 digits).
kernels-apart = Here the other kind’s context vectors differ by { $apart } at most.
linear = Show as nn.Linear.weight
parameters-note-linear = As PyTorch keeps them, transposed: a row to each output. inputs @ w_query.weight.T
