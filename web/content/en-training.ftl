# Text of training: tasks, controls, the curve of the loss, gradients. In English, as en.ftl, which it is added to.

panel-training = Train
train-controls = Training
example-fetch = Task: fetch my colour’s payload
example-copy = Task: copy the previous token
origin-fetch = Sequences made up for learning from random numbers (torch.rand, seed 118; held out: seed 119). Weights start uniform in ±0.5; what they are now, training on this page made of them. Not from a real model.
origin-copy = { origin-fetch }

task = What is to be learnt
task-fetch = Fetch my colour’s payload
task-copy = Copy the previous token
task-fit = Fit these context rows
task-none = Nothing
task-why-fit = “Fit these context rows” needs trainable weights: choose “trainable” above. The other two bring their own.
task-fetch-about = Six tokens, red and blue in turn. The first of each colour is its leader and carries a payload: two random numbers. Every token is to bring forth the payload of its own colour’s leader. Columns of the inputs: red? blue? leader? and the payload. { $sequences } random sequences are learnt from together; as many others are held out, to see whether the rule was learnt or the numbers.
task-copy-about = Four tokens, each with two random numbers. Every token is to bring forth the numbers of the token before it; the first has none before it and does not count. { $sequences } random sequences are learnt from together, as many others are held out.
task-copy-positions = Why the columns of positions (1 in the token’s own place): attention sees a set, not an order. Without them “the token before” would mean nothing, for all tokens would look alike wherever they stand.
task-fit-about = The sequence on the screen is to give the context rows that you write here. They begin as the first numbers of each token’s own inputs: to get there, a token must attend to itself.
task-fit-note = One fixed sequence can often be memorised by W_value alone, whatever the attention weights: that the loss falls is no sign that attention learnt anything.
task-floor = Only attention can do it: with every token drawing evenly on all { $masked ->
    [yes] that the mask allows
   *[no] tokens
  }, the loss stays above the floor that is drawn in the curve.
name-targets = Targets
feature-is-red = red
feature-is-blue = blue
feature-is-leader = leader
feature-payload-1 = pay 1
feature-payload-2 = pay 2
feature-position-1 = pos 1
feature-position-2 = pos 2
feature-position-3 = pos 3
feature-position-4 = pos 4

solved-title = { $heldOut ->
    [yes] Held-out sequence
   *[no] Sequence
  } { $index }, solved
solved-name = Where each target comes from, and what comes out now
solved-token = token
solved-source = from token
solved-wanted = target
solved-now = now
solved-none = no target
sequence-shown = On the screen
sequences-learnt = Learnt from
sequences-held-out = Held out
sequence = sequence { $index }
sequence-held-out = held out { $index }
sequence-edited = The inputs on the screen were edited: training goes on with the sequences as they were.

train-play = Play
train-pause = Pause
train-step = 1 step
train-ten-steps = 10 steps
train-start = Back to step 0
train-floor = floor
train-settings = How steps are taken
train-optimizer = Optimiser
optimizer-sgd = SGD
optimizer-momentum = SGD, momentum { $kept }
optimizer-adam = Adam
train-rate = Learning rate
train-speed = Steps a frame
train-stop-loss = Pause below loss
train-stop-steps = Pause after steps
train-never = never
train-seed = Seed of step 0
train-memory = This optimiser remembers earlier steps. After an undo or an edit its memory starts anew.
train-scales = Colours keep their limits while training (weight matrices ±{ $weight }).
train-scale-now = Auto-scale now
train-still = Little motion is asked for on this device: while it plays, the page moves about twice a second, by more steps at a time.
train-try = Worth a try
train-zero = Start from zero W_query and W_key
train-compare = Compare with step 0
train-compare-how = Comparing shows what moved since step 0, once a step was taken.
train-open-again = Open the task again
train-why-source = There is nothing to train here: attention weights do not come from trainable matrices. Choose “trainable” above, or a task that brings its own.
train-why-task = Choose what is to be learnt. The first two open sequences of their own; your present state comes back with Undo.
train-why-bug = Training waits while a bug is planted: gradients are those of the right computation.
train-why-shape = The matrices no longer fit the task’s sequences. Undo the change of size, or open the task again.
train-best = Best so far: step { $step }, loss { $loss }. The loss has risen since.
train-to-best = Go back to step { $step }
train-undo = Undo this run
train-smaller = Learning rate { $rate }
stopped-loss = Paused at step { $step }: the loss is { $loss }, below the limit. Play goes on.
stopped-steps = Paused at step { $step } after as many steps as the limit allows; loss { $loss }. Play goes on.
stopped-hidden = Paused at step { $step } while the page was hidden; loss { $loss }.
stopped-changed = Paused, for you changed the weights while they were trained, by an edit, Undo or Redo. Step { $step }, loss { $loss }.
stopped-diverged = Diverged at learning rate { $rate }: the next step would lead to numbers too large to compute with. The last finite state, step { $step }, is kept; loss { $loss }.
stopped-gradient = No step can be taken, whatever the learning rate: the gradient is too large to compute with. Smaller targets, inputs or weights keep it finite. Step { $step }, loss { $loss }.
pinned-step = step { $step }
said-paused = Step { $step }, loss { $loss }.
said-start = Back at step 0.
said-best = Back at step { $step }.
said-zero = W_query and W_key are zero; step 0.

curve-name = Loss by steps, on a logarithmic scale; the numbers are in the table below
curve-steps = steps
curve-step = step
curve-loss = loss
curve-held-out = held out
curve-floor = floor { $floor }: the best loss with uniform attention
curve-floor-soon = floor: being computed
curve-floor-none = floor: it cannot be computed here, for the numbers are too large
curve-table = The curve as a table

gradients-title = Gradients of the loss
gradients-largest = Largest in size: { $list }.
gradient-of = Gradient of { $matrix }, row { $row }, column { $column }
gradient-of-none = Gradient of a weight
gradient-how = Of the number of a weight matrix that you last went to.
gradient-check = { $matrix }, row { $row }, column { $column }: gradient { $analytic }; checked by moving the weight a little both ways: { $numerical }. They differ by { $difference }.
gradient-close = Close
gradient-why-zero = W_query and W_key are both 0, and so they stay: every score is 0, and each of the two is a factor of the other’s gradient. Only W_value learns: the loss ends on the floor of uniform attention.
gradient-why-one-token = There is one token: all its weight is on itself, whatever the scores. So no gradient reaches W_query and W_key: it is exactly 0.
gradient-why-saturated = Softmax is saturated: every row gives all its weight to one token, and a small change of scores changes nothing. So no gradient, or next to none, comes through it to W_query and W_key. Smaller inputs or weights, or a smaller scale, would wake it.

did-task = choosing what is to be learnt
did-no-task = giving up the task
did-sequence = another sequence on the screen
did-draw = drawing weights anew
did-train = a run of training
did-start = going back to step 0
did-best = going back to the best state
did-zero = zero W_query and W_key
