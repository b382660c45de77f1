# Text of the classroom: showing to a class, class links, keys. In English, as en.ftl, which it is added to.

# Present
present = Present
present-leave = Leave
present-title = Shown to the class
present-what = Show
present-figure = Weights, values, result
present-back = Back
present-next = Next
present-row-up = Row up
present-row-down = Row down
present-one-by-one = Rows one by one
present-blank = Blank
present-unblank = Show again
present-keys = Presenter keys
said-present = Presenting. Escape leaves.
said-present-left = The whole page again.
said-present-end = That was the last of it.
said-present-begin = Nothing comes before this.
said-answer = Answer: { $answer }
said-covered = The answer is hidden.
said-row = Row { $row }, “{ $label }”{ $shown ->
    [yes] .
   *[no] : not shown yet.
  }
present-shown = { $rows ->
    [0] No row is shown yet, of { $count }.
   *[other] Rows shown: { $rows } of { $count }.
  }

# What holds for a class
class-bar = Class view
class-next = Show row { $row }
class-back = Hide row { $row }
class-reset = Reset to class start
class-all-shown = All rows are shown.
class-locked = locked for this class
class-matrix-locked = { $matrix }: locked for this class
hint-veiled = This number is hidden for now.
class-ask = Choose a “?”, by a click or Enter, to see its number.
problem-locked = { $what ->
    [inputs] The inputs and their labels are
    [attn_weights] The given attention weights are
    [w_query] W_query is
    [w_key] W_key is
    [w_value] W_value is
    [w_out] W_out is
    [switches] The switches are
    [example] The choice of example is
   *[other] This instrument is
  } locked for this class. Nothing was changed.
problem-file-locked = This class is locked, and a saved state would put another in its place; expected numbers, or no file. Nothing was changed.
problem-files-left-out = This class works without files. Nothing was opened.
problem-export-class = Some of these numbers are hidden for this class. They can be saved once they are shown.
export-class-note = Some numbers are hidden for this class. JSON holds the matrices that the state starts from, hidden ones too: hiding keeps a class together, it is no secret. Pictures and the worksheet leave out what is hidden; all else waits until it is shown.
problem-hidden = This class works without that instrument.
did-class = a class link
did-class-start = resetting to the class start
said-class = Opened as set up for a class. Undo brings back what was there.
said-class-start = As the class began. Undo brings back what was there.
class-partly = Of the class link this was left out, the rest holds: { $problems }
class-unknown = the option { $got } is not known, expected one of { $known }
class-word = { $option } cannot be { $got }, expected of { $known }
class-number = { $option } cannot be { $got }, expected a whole number from { $low } to { $high }
class-rows = rows cannot be { $got }, expected a number from 0 to { $limit }, with “:weights” after it if rows of weights come too
class-question = question cannot be { $got } here, expected one of { $known }, with a seed up to { $limit } after “:”
class-hides = { $option } cannot be { $got }, for hide takes that away
class-absent = { $option } cannot be { $got }: these numbers have no such matrix, expected of { $known }
class-twice = { $got } came after { $first }, and the first holds
class-again = { $option } has { $got } twice, and once holds
class-state = the state in it cannot be opened
class-long = This class link has { $got } characters; expected at most { $limit }. Nothing was changed.

# The dialog that makes a class link
class-title = Make a class link
class-make = Make a class link…
class-what = The page behind this shows what the link opens. Close puts back what was there.
class-start = Starts from
class-start-example = { $name }, as it opens
class-start-state = these very numbers
class-row = Row chosen
class-digits = Decimals
class-hide-instruments = Leave out instruments
class-hide-parts = Leave out parts of the page
class-numbers = Numbers
class-numbers-what = What stands in each matrix
class-shown = shown
class-asked = “?” until asked
class-hidden = hidden
class-lock = Lock
class-lock-instruments = Lock instruments, open or folded
class-panel-locked = locked
class-rows-title = Rows of the result
class-rows-all = all shown
class-rows-one = one by one
class-rows-weights = one by one, with their weights
class-question-kind = Question
class-question-none = none
class-seed-unfit = The seed must be a whole number from 0 to { $limit }, not “{ $got }”.
class-seed = Seed of the question
class-ask-cell = hidden: press Enter to see it
class-present = Opens in the presenter’s view
class-stay = Stay in this view
class-leave = Open everything again
class-link = Class link
class-copy = Copy class link
class-long-link = These very numbers would make a link of { $length } characters, too long to pass on. Start from an example, or save the state as a file.
class-ready = Ready lessons of ten minutes
class-plans = Plans of these lessons
part-chapters = the chapters
part-switches = the switches
part-lesson = the guide
part-blend = how a row is blended
part-arithmetic = the arithmetic
part-verdict = the two routes
part-files = Export and Open
lock-switches = switches
lock-example = choice of example

# Keys
keys = Keys
keys-title = Keys
keys-key = Key
keys-does = What it does
keys-or = or
keys-single = Keys of one character
keys-single-note = Off, keys such as ? or P do nothing on their own, so that speech input cannot press them by mistake.
keys-in-anywhere = Anywhere
keys-in-history = Changes, and boxes of the flow diagram
keys-in-matrix = In a matrix
keys-in-terms = Arithmetic that is open
keys-in-plane = On a point of the plane
keys-in-presenting = Presenting
keys-in-dialog = In a dialog
keys-help = this list
keys-present = present to a class
keys-undo = undo
keys-redo = redo
keys-press = open the box in focus
keys-move = to the next number
keys-ends = to the first or last number of the row
keys-corners = to the first or last number of the matrix
keys-edit = edit the number or label; ask for a “?”
keys-type = type over the number or label
keys-empty = edit, beginning with nothing
keys-keep = keep what was typed
keys-drop = leave the number as it was
keys-term-on = add the next term
keys-term-back = take the last term away
keys-term-all = all terms
keys-term-none = no term
keys-point-move = move the point, or go to the next row
keys-point-finer = move it by a tenth of that
keys-point-press = choose the row, or open the number
keys-point-drop = while dragging: put the point back
keys-next = reveal what comes next
keys-previous = take back what came last
keys-rows = the row above or below
keys-blank = blank the screen, and give it back
keys-leave = leave
keys-close = close it
key-ArrowUp = ↑
key-ArrowDown = ↓
key-ArrowLeft = ←
key-ArrowRight = →
key-Space = Space
key-Escape = Esc
key-Delete = Del
key-PageUp = Page Up
key-PageDown = Page Down
key-number = a number
key-letter = a letter
