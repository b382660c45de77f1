# Text of the instrument for large sequences: sizes, progress, the map, the lens. In English, as en.ftl, which it is added to.

panel-large = Large
large-about = A sequence too long to read row by row, on a layer of its own: inputs and weight matrices are made up by the module’s generator (inputs as torch.rand draws them, matrices uniform), not from a real model. Your own matrices above stay as they are, and Undo and Redo lead through them alone: they do not take back what is chosen here.
large-sizes = Sizes
large-size = T = { $tokens } × { $heads } { $heads ->
    [one] head
   *[other] heads
  }
large-tokens = Tokens T
large-heads = Heads
large-headDim = head_dim
large-seed = Seed
large-causal = Causal mask, large
large-progress = Steps of the computation
large-start = Compute again
large-stop = Stop
large-step-starting = Step { $step } of { $steps }: starting a worker beside the page
large-step-drawing = Step { $step } of { $steps }: drawing the numbers
large-step-computing = Step { $step } of { $steps }: computing all attention weights
large-step-painting = Step { $step } of { $steps }: painting
large-ready = Computed in { $milliseconds } ms, beside the page: T = { $tokens }, { $heads } × head_dim { $headDim }. The layer takes { $bytes } MiB of the { $limit } MiB that one may take.
large-stopped = Stopped. Nothing of it was kept, nor of what was computed before: the memory was given back.
large-refused = These sizes need { $bytes } MiB; a layer may take { $limit } MiB. Nothing was allocated, and what was computed before is put away. { $most ->
    [weights] Most of it is for T × T attention weights of each head: choose fewer tokens or fewer heads.
   *[matrices] Most of it is for matrices with heads × head_dim = { $width } rows and columns: choose fewer heads or a smaller head_dim.
  }
large-no-memory = This device gave no memory for the { $bytes } MiB that these sizes need (a layer may take { $limit } MiB). Smaller sizes may fit.
large-no-worker = No worker could be started beside the page, and here the page itself would stand still while it computes, so nothing is computed. The browser says: { $reason }
large-failed = It could not be computed: { $reason }.
large-wrong = { $name } must be a whole number from { $low } to { $high }, in digits alone; got { $got }. Mend it here; until then it is { $now }.
large-wrong-empty = nothing

large-map = All attention weights of one head
large-map-name = Map of the attention weights, head { $head }: rows are queries, columns are keys
large-empty = { $status ->
    [working] The map comes when all weights are computed.
    [refused] No map: these sizes are too large. Choose smaller ones above.
   *[other] No map: nothing is computed. Compute again, or choose other sizes above.
  } Until then there is nothing to zoom or to move.
large-head = Head
large-ends = Colours end at
large-ends-one = 1, as above
large-ends-share = { $times } × 1/T = { $top }
large-ends-most = { $times } × 1/T, at most 1
large-and-more = { $top } and more
large-share = Even share: 1/{ $tokens } = { $share }
large-rows = Rows (query) { $from } to { $to } ↓
large-columns = Columns (key) { $from } to { $to } →
large-largest = One pixel covers up to { $cells } × { $cells } weights: it shows the largest of them
large-one = One weight is { $pixels } { $pixels ->
    [one] pixel
   *[other] pixels
  } wide
large-buttons = Move the map
large-closer = Zoom in
large-wider = Zoom out
large-whole = Show all
large-up = Up
large-down = Down
large-left = Left
large-right = Right
large-how = Click or tap a weight to look at it; drag to move; pinch, or turn the wheel with Ctrl or ⌘, to zoom. With the map in focus: arrows go from weight to weight (with Shift nine at a time), Home and End to the ends of the row, + and − zoom, 0 shows all.

keys-in-map = On the map of a large sequence
keys-map-move = to the next weight
keys-map-far = nine weights on
keys-map-ends = to the first or last weight of the row
keys-map-corners = to the first or last weight of the matrix
keys-map-closer = zoom in
keys-map-wider = zoom out
keys-map-whole = show all

large-lens = Weight by weight
large-rests = No weights are there to be looked at.
large-row = Row
large-column = Column
large-cell = Row { $row } looks at column { $column }, head { $head }: weight exactly { $weight }
large-cell-masked = Row { $row } may not look ahead at column { $column }: masked
large-lens-axes = The weights around it. Rows: query, the token that looks; columns: key, the token looked at
large-row-title = Row { $row }, head { $head }
large-largest-weights = Largest weights, and all others together
large-key = column (key)
large-weight = weight
large-others = { $others } others
large-masked = { $masked } masked
large-masked-none = no weight
large-sum = row sum
large-checks = Checks of this row
large-check-sum = The row sums to 1; it is off by { $apart }.
large-check-later = No weight on later tokens: { $count } of { $masked } are not 0.
large-check-routes = The second route, one token at a time, gives the same context row in all heads; largest difference { $apart }.
large-context = Context vector of this head
large-context-all = All { $count } numbers
