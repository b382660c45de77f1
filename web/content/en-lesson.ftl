# The short path through the chapters: one or two sentences to a step, and what a chapter changed. Sizes, rows and
# labels are those on the screen; no number of a matrix stands here. Keys: lesson-<chapter>-<step>.

example-simplified-toy = Simplified: the toy
example-trainable-toy = Trainable: the toy
example-causal-toy = Causal: the toy
example-multi-head-toy = Multi-head: the toy
origin-simplified-toy = { origin-simplified }
origin-trainable-toy = { origin-trainable }
origin-causal-toy = { origin-trainable }
origin-multi-head-toy = { origin-multi-head }

lesson-name = { $chapter }, step { $step } of { $steps }
lesson-count = { $step } of { $steps }
lesson-done = done
lesson-back = Back
lesson-next = Next
lesson-next-chapter = Next chapter: { $chapter }
lesson-again = Again from { $chapter }
lesson-ask = Ask me
lesson-more = More
lesson-show-flow = Show what is new
lesson-show-shapes = Open Shapes
lesson-beside = This start stands beside the chapters. Any chapter above leads back to them.
problem-undo-predicted = Undo and Redo change what the question is about, and what was predicted would go. Press once more to do it all the same.
said-done = Done. Go on with Next when you like.

lesson-warm-up-row = Row { $row } of the weights says how much of each input goes into row { $row } of the result. Choose row 2 and read its sum.
lesson-warm-up-weight = All { $tokens } inputs stand in every sum; one with weight 0 is still a term. Change a weight in row { $row }: only row { $row } of the result moves.
lesson-warm-up-product = One product makes all { $tokens } rows at once, by the same sums: the inner sizes match and cancel. Open Shapes to see which sizes would not fit.
lesson-warm-up-predict = Before you look: does the context vector of a token use that token’s own input and no other? Press “Ask me”, say what you expect, then see.
lesson-warm-up-takeaway = A context vector is a weighted sum over all the inputs, and its row of weights says how much of each. Here the weights are typed; next, the inputs make them.

lesson-simplified-scores = New: the inputs make the weights. The score of two tokens is the dot product of their inputs, and softmax turns each row of scores into weights that sum to 1.
lesson-simplified-input = Change one number of the inputs. Its token’s scores with every token change, so weights move in all { $tokens } rows.
lesson-simplified-predict = Before you look: which token gets most weight in a row? Press “Ask me”; the answer is hidden until you have said what you expect.
lesson-simplified-takeaway = The sum is the same as before; only its weights come from elsewhere. But a fixed rule cannot get better. Next come matrices that can be learnt.

lesson-trainable-matrices = New: W_query and W_key make the scores, W_value makes the values, which are blended in place of the inputs. The weighted sum itself stays.
lesson-trainable-query = Change a number in W_query. Scores and weights move, the values stay: only the blend shifts. Training adjusts these matrices in the same way, little by little.
lesson-trainable-bridge = The matrices are all that is new. Let them change nothing (identity, no scale), and each number is that of the chapter before.
lesson-trainable-predict = Before you look: which inputs contribute to one row of the result? Press “Ask me” and name every one.
lesson-trainable-takeaway = The sum over all inputs stays. The matrices are learnt, so that context vectors can get better; the attention weights are computed anew for each input.

lesson-causal-mask = New: a token draws on itself and the tokens before it. Scores of later tokens become −∞ before softmax, so their weights are 0.
lesson-causal-last = Change a number in the last input. The rows above it stay exactly as they are: none of them may look at it.
lesson-causal-predict = Before you look: in which rows do weights change when the mask is switched? Press “Ask me” and say which.
lesson-causal-takeaway = Every context vector is built from all the inputs that are allowed to it. What the mask takes away, the rest of the row shares.

lesson-multi-head-heads = New: several attentions side by side, each on its own columns. d_out { $width } = { $heads } { $heads ->
    [one] head
   *[other] heads
  } × head_dim { $headDim }; their context rows are joined into one.
lesson-multi-head-second = Press “Show head 2”: the same inputs, other weights, other columns of the result.
lesson-multi-head-bridge = Several heads are all that is new. With one head and the matrices of the chapter before, the numbers are those of that chapter.
lesson-multi-head-predict = Before you look: which shape comes out of a product? Press “Ask me” and give rows and columns.
lesson-multi-head-pipeline = Attention is one stage of a language model. Before it, text becomes tokens, and tokens and their places become vectors. After it come a sum with what went in, normalisation and a small network; the whole is repeated many times, and the last vectors become scores for the next token. Attention weights do not by themselves explain a model’s answer.

flow-fresh = new
flow-fresh-name = { $shape }, new in this chapter
flow-fresh-about = Framed and marked “new”: what this chapter brings.

bridge-identity = Set identity
bridge-one-head = Set one head
bridge-toy = Use the toy
bridge-own = Use the six tokens
did-bridge = meeting the chapter before

changed-same = Same as at the start of { $chapter }: { $list }.
changed-fresh = New: { $list }.
changed-matrix = { $tensor ->
    [w_query] W_query
    [w_key] W_key
    [w_value] W_value
   *[w_out] W_out
  } ({ $now })
changed-other = Different: { $list }.
changed-all = Nothing differs.
changed-count = { $name } ({ $same } of { $count })
changed-differ = { $name } ({ $differ } of { $count } differ, by { $largest } at most)
changed-size = { $name } ({ $before }, now { $now })
changed-new = new
changed-matrices = weight matrices
changed-mask = { $zeros } weights became 0. Divided by what is left of its row, each other weight is the old one to within { $largest }; the last row differs by { $last }.
changed-title = What changed and what did not
changed-against = Against the start of { $chapter }
changed-what = Matrix
changed-size-before = Size there
changed-size-now = Size here
changed-same-numbers = The same
changed-largest = Largest difference
changed-none = –
