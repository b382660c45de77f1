# Questions to predict before one sees, and what stands where a number is hidden. In English, as en.ftl, which it is added to.

veiled = hidden for now
read-veiled = { $name }, row { $row }, column { $column }: hidden

question-title = What do you expect?
question-close = Close the question
question-anew = The numbers have changed: the question is asked again, of the new ones.
question-not-here = This question cannot be asked of what is on the screen now.
question-first = Hidden until you predict or skip.
question-so-far = Predicted so far: { $list }
question-reveal = Show the answer
question-skip = Skip, and show it
question-skipped = skipped
question-another = Another one
question-others = Other questions
question-ask = Ask
question-guide = Back to the guide
question-arithmetic = Show the arithmetic
predict = Predict
predict-more = Add a prediction
predict-number = Your number
predict-rows = Rows
predict-columns = Columns
predict-row = row { $row }
predicted = Predicted
predicted-same = the same
predicted-apart = { $apart } from the number shown
predicted-closest = The closest was { $list }.
answer = Answer
answer-yes = Yes
answer-no = No
answer-tokens = { $count ->
    [one] token { $list }
   *[other] tokens { $list }
  }
answer-rows = { $count ->
    [0] no row
    [one] row { $list }
   *[other] rows { $list }
  }

kind-contributes = Which inputs contribute?
kind-only = Its own input only?
kind-top-token = Which token gets most?
kind-fill-cell = A number
kind-shape = A shape
kind-mask-changes = What the mask changes
kind-bug = Where is the bug?

ask-contributes = Which inputs contribute to the context vector of row { $row }, “{ $label }”? Choose every one that is a term of its sum.
ask-only = Does the context vector of row { $row }, “{ $label }”, use only its own input, token { $row }?
ask-top-token = Which token gets most weight in row { $row }, “{ $label }”{ $head ->
    [0] {""}
   *[other] , head { $head }
  }?
ask-fill-cell = Which number stands in the { $tensor ->
    [attn_weights] attention weights
    [attn_scores] attention scores
    [context_vecs] context vectors
    [queries] queries
    [keys] keys
   *[values] values
  }{ $head ->
    [0] {""}
   *[other] , head { $head }
  }: row { $row }, column { $column }?
ask-shape = { $product ->
    [blend] What shape is the result of the weighted sums, weights ({ $left }) times { $source ->
        [trained] values
       *[other] inputs
      } ({ $right })
    [scores] What shape do the attention scores have, { $source ->
        [trained] queries ({ $left }) times keys transposed ({ $right })
       *[other] inputs ({ $left }) times inputs transposed ({ $right })
      }
    [queries] What shape do the queries have, inputs ({ $left }) times W_query ({ $right })
   *[values] What shape do the values have, inputs ({ $left }) times W_value ({ $right })
  }{ $heads ->
    [1] {""}
   *[other] , in one of { $heads } heads
  }?
ask-mask-changes = Suppose the causal mask were switched { $on }: in which rows would attention weights change?
ask-bug = A bug is planted in the batched route (seed { $seed }). Where is it?

why-contributes = { $masked ->
    [0] Nothing is masked, so every input is a term of this sum
    [one] One input is masked and left out; all others are terms of this sum
   *[other] { $masked } inputs are masked and left out; all others are terms of this sum
  }{ $zeros ->
    [0] .
    [one] , also the one with weight 0: a term that adds nothing now is still a term.
   *[other] , also those { $zeros } with weight 0: a term that adds nothing now is still a term.
  }
why-only = { $count ->
    [one] Only token { $row } may be looked at here: this sum has one term.
   *[other] The sum of row { $row } has { $count } terms, one for each input that may be looked at. The chosen token is the one that looks, not the one it takes from.
  }{ $zeros ->
    [0] {""}
   *[other] {" "}A weight of 0 is a weight like any other: change it and the sum moves.
  }
why-top-token = { $ties ->
    [one] Its weight is { $weight }, the largest of row { $row }.
   *[other] They have equal weights, { $weight } each, and none is larger in row { $row }: any of them may be named.
  }
why-fill-cell = Compared with the number as it is shown; its arithmetic goes through every term.
why-shape = The inner sizes match and cancel; the outer ones stay: rows of the left, columns of the right.
why-mask-changes = { $source ->
    [given] A row changes if it gives weight to a later token, or if its weights do not add to 1: the mask sets later weights to 0 and divides the rest by what is left.
   *[other] A row changes if it gives weight to a later token: that weight goes to the tokens that are left.
  } { $last ->
    [yes] {""}
   *[no] The last row has no later token.
  }
why-bug = { $fault ->
    [weight_altered] One weight of one row was altered after softmax.
    [term_wrong] One term of one sum was wrong.
    [input_altered] One input was altered before the product.
    [softmax_columns] Softmax ran over columns, not rows.
    [mask_off_by_one] The mask began one token too late or too early.
    [mask_after_softmax] The mask came after softmax, and nothing was divided again.
    [mask_fill_zero] Masked scores were set to 0, not to −∞.
    [mask_fill_large] Masked scores were set to a large negative number, not to −∞.
    [scale_missing] The scores were not scaled.
    [scale_sqrt_d_out] The scores were divided by √d_out, not by √head_dim.
    [query_key_swapped] Query and key were swapped.
   *[heads_reshaped] The heads were split by a plain reshape.
  }

problem-question-here = This question cannot be asked of what is on the screen now; nothing was changed.
problem-predictions = { $limit } predictions are kept; show the answer, or go on to another question.
problem-prediction = { $what ->
    [number] Expected one number, such as 0.25 or −1
    [shape] Expected two whole numbers from 1 to { $most }, rows and columns
    [tokens] Expected a choice of tokens
    [rows] Expected a choice of rows
   *[choice] Expected a choice from the list
  }; got { $got }. What was predicted before stays.
problem-export-hidden = Some of these numbers are hidden while a question is open: show its answer or close it first, then save.
said-predicted = Predicted. The answer is still hidden.
