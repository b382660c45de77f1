# Text of the cards: what is easily confused, what is so, and what to try. In English, as en.ftl, which it is added to.
# A card is named as the question that one has.

cards-title = Easily confused
cards-about = Each card lets you do the wrong thing and watch a number break. Undo brings everything back.
cards-near = Easily confused:
cards-why = Why?
cards-why-name = Why? Cards of what is easily confused
card-close = Close card
card-thought = Easily thought
card-is-so = What is so
card-do = Do it on the page.
card-open = Open “{ $name }”
card-needs-scores = This needs scores: weights that are computed, not given.
card-needs-trained = This needs trainable matrices.
card-needs-heads = This needs two heads or more.
card-needs-tokens = This needs two tokens or more.
try-too-large = A number would be too large here: more than 3.4e38 in size. Try smaller inputs or matrices.
try-does-not-fit = This does not fit: W_query is [{ $rows }][{ $columns }], so W @ x expects { $columns } numbers in x, and x has { $rows }.

do-plant = Plant the bug: { $name }
do-mend = Remove the bug: { $name }
do-causal = Causal mask
do-column-sums = Show column sums
do-linear = Show as nn.Linear.weight
do-project = Output projection
do-pin = Keep this state to compare with
do-identities = Make W_query, W_key and W_value the identity
do-alike = Give token 2 the input of token 1
do-weight-of-row-2 = Trace what row 2 asks column 1
do-weight-of-row = Trace a weight of the chosen row
do-every-input = Trace every input
do-row-2 = Trace row 2
do-trace-3 = Open the arithmetic
do-same-sum = See the same sum, matrices before it
do-show-scores = Show the scores
do-show-shapes = Show the shapes
do-show-masking = Show ways to mask
do-show-compare = Show what moved
do-show-training = Show the training
do-huge-scores = Open an example with huge scores
said-alike = Token 2 now has the input of token 1.
said-identities = W_query, W_key and W_value are now the identity.

figure-weights = attention weights moved by at most
figure-context = context vectors moved by at most
figure-factor = the scores are multiplied by
figure-weight-1 = weight of token 1
figure-weight-2 = weight of token 2
figure-weight-3 = weight of token 3
figure-entropy = entropy of the row, in bits
figure-largest = largest weight of the chosen row
figure-leak = most weight that a row gives to later tokens
figure-where = it is row
figure-width = head_dim
figure-columns = columns of context_vecs
figure-apart = largest difference from one split matrix
figure-scores = scores of the chosen row moved by at most
figure-row = its attention weights moved by at most
figure-query = query of the chosen row moved by at most
figure-matrices = matrices moved by at most
figure-stale = context vectors wrong by at most
figure-outputs = outputs differ from context vectors by at most
figure-astray = outputs wrong by at most

card-sums = Do rows or columns sum to 1?
card-sums-think = Each token has one unit of attention that the others share out, so columns sum to 1.
card-sums-so = Each query shares out its own attention: rows sum to 1. A column may sum to anything.
card-sums-watch = Show both sums, then let softmax run down the columns and see the row sums leave 1.

card-query-index = Which index is the query?
card-query-index-think = Row or column, it comes to the same.
card-query-index-so = The row is the query, the token that looks; the column is the key, the token looked at. Row 2, column 1 is: token 2 asks token 1.
card-query-index-watch = Trace one weight, then swap query and key and see the second route disagree.

card-scores-or-weights = Scores or weights?
card-scores-or-weights-think = A large score is a large weight.
card-scores-or-weights-so = Scores may be any number. Softmax turns each row of them into weights from 0 to 1, so a weight depends on the whole row: all scores 5 higher give the same weights, but for rounding. Weights are no scores: softmax once more makes them more alike.
card-scores-or-weights-watch = Lay the scores beside the weights, or trace how one score became a weight.
try-scores-or-weights = Take the scores of the chosen row, in the head shown:
try-scores-or-weights-as-they-are = as they are
try-scores-or-weights-plus-5 = each 5 higher
try-scores-or-weights-again = their weights as scores

card-scale = The root of what, and divide or multiply?
card-scale-think = It is about √d_out, and whether one divides or multiplies hardly matters.
card-scale-so = Scores are divided by √d_k, where d_k is the width of one head. Sums of more products are larger; undivided, they make softmax give nearly all to one token, and little is left to learn from.
card-scale-watch = Plant a wrong scale and see the second route disagree.
try-scale = Scores { $scores }, in one of { $heads } heads that share d_out = { $width }, so d_k = { $headDim }:
try-scale-divide = divide by √d_k
try-scale-none = leave them
try-scale-multiply = multiply by √d_k
try-scale-width = divide by √d_out

card-orientation = x @ W or W @ x?
card-orientation-think = A matrix is a matrix, whichever way it is stored.
card-orientation-so = Here rows multiply from the left, x @ W, and W is [d_in][d_out]. nn.Linear stores the transpose, [d_out][d_in], and turns it when it multiplies. With as many rows as columns nothing refuses the mistake: the numbers are merely wrong.
card-orientation-watch = See the same numbers as nn.Linear.weight; then give a matrix another number of rows and see the product refused.
try-orientation = Make the queries as:
try-orientation-rows = x @ W_query
try-orientation-turned = W_query @ x
try-orientation-square = the same, W_query cut to a square

card-three-matrices = Why three matrices from one x, and what is the value?
card-three-matrices-think = All three are made from the same input, so one matrix would do.
card-three-matrices-so = What a token asks for, what it can be found by and what it hands on are three things. While each matrix is the identity, all three are the input itself, as in “Simplified”.
card-three-matrices-watch = Start from the identity and free one matrix at a time, by editing it.
try-three-matrices = From the identity, set free (drawn as torch.rand, seed 123):
try-three-matrices-w_query = W_query
try-three-matrices-w_key = W_key
try-three-matrices-w_value = W_value

card-bias = Should queries, keys and values have a bias?
card-bias-think = A bias in any of the three changes what is attended to.
card-bias-so = A key bias adds the same to all scores of a row, and softmax takes that out again: nothing is left but rounding. A query bias changes the weights. A value bias leaves the weights and adds itself to each context vector.
card-bias-watch = Trace a weight: what is the same in all scores of its row divides away.
try-bias = Add a bias of 1 in each column to:
try-bias-query = queries
try-bias-key = keys
try-bias-value = values

card-learnt = Are the attention weights learnt?
card-learnt-think = Training stores the attention weights.
card-learnt-so = Training changes the matrices. Attention weights are computed anew for each input.
card-learnt-watch = Keep this state, edit an input and see the weights move while the matrices stay; then train, and see both move.
try-learnt = Try:
try-learnt-input = every number of the chosen token’s input becomes 3
try-learnt-kept = the same, and keep the old weights
try-learnt-step = a step of training towards results of 0

card-mask-order = Mask before or after softmax?
card-mask-order-think = Setting later weights to 0 after softmax is the same.
card-mask-order-so = It is, if each row is then divided by what is left of it. Without that, rows no longer sum to 1; and if nothing is left, there is nothing to divide by.
card-mask-order-watch = Lay the ways side by side, then forget the division and watch the row sums.

card-mask-fill = Why −∞, and not 0?
card-mask-fill-think = A masked score of 0 gets no weight.
card-mask-fill-so = exp(0) is 1, so a score of 0 still gets a share, often a large one. −∞ gets exactly 0. A large negative number works only while all allowed scores are larger.
card-mask-fill-watch = Open scores so low that −10⁹ lets later tokens through, and plant either bug.
try-mask-fill = Fill masked scores with:
try-mask-fill-infinity = −∞
try-mask-fill-zero = 0
try-mask-fill-large = −10⁹

card-head-dim = d_out or head_dim?
card-head-dim-think = With more heads the result gets wider: d_out times the heads.
card-head-dim-so = d_out stays; the heads share its columns: d_out = heads × head_dim. Separate small heads and one matrix, split, give the same numbers.
card-head-dim-watch = See every size, for one head and for all.
try-head-dim = Make the heads as:
try-head-dim-split = one split matrix
try-head-dim-separate = separate heads
try-head-dim-wide = each d_out wide

card-reshape = Why view, then transpose?
card-reshape-think = To get two heads, one reshape is enough.
card-reshape-so = A head takes its own columns of every token. A plain reshape counts numbers on, across tokens, so a row of a head mixes numbers of other tokens.
card-reshape-watch = Plant that bug and see the routes disagree.
try-reshape = Split Q into two heads by:
try-reshape-columns = view, then transpose
try-reshape-plain = a plain reshape
reshape-row = row { $row }
reshape-token = token { $token }

card-projection = Is there an output projection?
card-projection-think = Attention ends with the context vectors, or: W_out is a part of every head.
card-projection-so = Many models multiply the context vectors, heads side by side, by one more matrix, W_out, which mixes the heads: a head by itself could not. It can be left out. Here it starts as the identity, which changes nothing.
card-projection-watch = Switch it and see which sizes come and go; edit W_out and see the outputs move while the context vectors stay.
try-projection = W_out as:
try-projection-identity = the identity
try-projection-free = the identity, and 1 from the last column to the first
try-projection-alone = the same, but a part of every head

card-explains = Do weights explain the answer?
card-explains-think = A large weight says that this token made the answer.
card-explains-so = Attention weights do not by themselves explain a model’s answer: they say how values are blended, not what the values hold or what later stages make of them.
card-explains-watch = Give two tokens the same input, then move weight from one to the other: the context vectors stay.
try-explains = All weight on token 1, then all on token 2, with inputs:
try-explains-as-they-are = as they are
try-explains-alike = tokens 1 and 2 alike
