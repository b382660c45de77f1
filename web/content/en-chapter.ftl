# Text of the instrument "Chapter": formulas, code, practice, mistakes, takeaways. In English, as en.ftl, which it is
# added to. Numbers are never typed here: they are arguments, from what is on the screen.

panel-chapter = Chapter
convention = One convention everywhere: rows multiply from the left, x @ W, and a weight matrix is [d_in][d_out].

formulas-title = Formulas and code
formula-row-of-inputs = One row: every input, times its weight
formula-all-rows-of-inputs = All rows at once
formula-scores-of-inputs = Scores: every token with every token
formula-softmax = Softmax over each row
formula-projections = The trainable matrices
formula-scaled-scores = Scores, scaled
formula-all-rows-of-values = The blend: the same line, with values
formula-masked-scores = Later tokens get −∞
formula-masked-softmax = Softmax over what is left
formula-one-head = One head, on its own columns
formula-head-sizes = Heads share the width
formula-side-by-side = Heads side by side
formula-projected = Output projection

code-title = The same in PyTorch
code-weights = Where the weights come from
code-loop = Row by row
code-line = The one line that replaces the loop
code-print = What both print
code-same = This page computes both, too: { $agree } of { $rows } rows agree.

practice-title = Practice
practice-task = Trace the context vector of token { $number }: open its arithmetic, follow its terms back, then answer.
practice-inputs = Which inputs contribute to the context vector of token { $number }?
practice-place = Where do the trainable matrices enter?
practice-choose = choose a step
practice-at-projection = before the blend: inputs become queries, keys and values
practice-at-scores = where queries meet keys
practice-at-softmax = in the softmax
practice-at-sum = in the weighted sum
practice-at-nowhere = nowhere: there are none here
practice-check = Compare with the page
practice-hint = Hint, { $given } of { $count } seen
practice-no-more = These are all the hints.
practice-said = You said: { $what }.
practice-said-none = You said nothing yet.
practice-so = On the page: { $what }.
practice-masked = { $count ->
    [one] Token { $what } is masked: its term is left out.
   *[other] Tokens { $what } are masked: their terms are left out.
  }
practice-zero = All of them: a weight of 0 is still a term.
practice-w-out = W_out is trainable as well; it comes after the sum.
hint-sum = It is a weighted sum over all inputs that are allowed, not over the chosen one.
hint-before = The matrices decide how inputs are combined. They do so before anything is blended.
hint-follow = Follow the flow: from the inputs, through each step, to the context vector.

mistakes-title = Common mistakes
mistake-only-chosen = Only the chosen token counts.
mistake-only-chosen-so = The chosen token asks; all allowed inputs answer. Trace every one of them.
mistake-zero-left-out = A weight of 0 takes a token out of the sum.
mistake-zero-left-out-so = Its term is there and is 0. Only a mask leaves a term out.
mistake-symmetric = If two tokens score each other alike, their weights are alike.
mistake-symmetric-so = The scores are alike. Each row is then divided by its own sum, so the weights need not be.
mistake-replaces-sum = Trainable attention replaces the weighted sum.
mistake-replaces-sum-so = The sum stays as it was. The matrices come before it.
mistake-fixed-rules = The matrices are fixed rules.
mistake-fixed-rules-so = They are parameters: training adjusts them. Let it, and watch them move.
mistake-mask-removes = The mask removes tokens.
mistake-mask-removes-so = Every token keeps its row. What goes is the look ahead: switch it, and see that the last row stays.
mistake-part-of-input = Each head sees its own part of the inputs.
mistake-part-of-input-so = Each head reads whole inputs. What it has for itself are its columns of the matrices.

takeaways-title = Takeaways
takeaway-sum-of-all = A context vector is a weighted sum of all the inputs.
takeaway-one-product = One matrix product does for every row what the loop did for one.
takeaway-by-row = Row i of the weights makes row i of the result, and no other.
takeaway-from-inputs = The weights can come from the inputs themselves; the blend is the same.
takeaway-nothing-to-learn = A blend by fixed rules cannot improve: it has nothing to learn with.
takeaway-sum-stays = The weighted sum stays.
takeaway-matrices-new = The trainable matrices are what is new.
takeaway-built-from-all = Every context vector is built from all inputs.
takeaway-built-from-allowed = Every context vector is built from all allowed inputs.
takeaway-to-learn = The matrices are there so that the model can learn to make good context vectors.
takeaway-before-softmax = The mask comes before the softmax, so each row of weights still sums to 1.
takeaway-own-columns = Heads attend side by side, each with its own columns of the matrices.
