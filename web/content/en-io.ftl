# Text of what comes in and goes out: states as files and links, pasted numbers. In English, as en.ftl, which it is added
# to. A problem says what was expected and what came; where it is shown, nothing has been changed.

## States, whatever they came in

problem-state-version = This state is of version { $got }; this page reads version { $expected }. Nothing was changed.
problem-state-missing = “{ $field }” is missing in this state. Nothing was changed.
problem-state-unknown = This page knows no field { $got } in “{ $field }”; a newer version of the page may. Nothing was changed.
problem-state-kind = “{ $field }” must be { $kind ->
    [object] an object
    [list] a list
    [text] text
   *[flag] true or false
  }, got { $got }. Nothing was changed.
problem-state-length = “{ $field }” must have { $expected } entries, so that the sizes fit together, got { $got }. Nothing was changed.
problem-state-count = “{ $field }” may have { $low } to { $limit } entries, got { $got }. Nothing was changed.
problem-state-choice = “{ $field }” must be one of { $choices }; got { $got }. Nothing was changed.
problem-state-label = “{ $field }” must be a label of 1 to { $limit } characters, got { $got } characters. Nothing was changed.
problem-state-number = “{ $field }” must be a finite number that float32 can hold, got { $got }. Nothing was changed.
problem-state-negative = “{ $field }” must be a number of 0 or more, got { $got }. Nothing was changed.
problem-state-whole = “{ $field }” must be a whole number from { $low } to { $high }, got { $got }. Nothing was changed.

## JSON files

problem-json-long = A state of this page has less than { $limit } million characters; this file has about { $got } million. Nothing was changed.
problem-json-syntax = This is not JSON, or only a part of it: expected the whole of a saved state, got { $length } characters that begin with { $got }. Nothing was changed.
problem-json-foreign = This JSON is no state of this page: expected “format” to be “{ $expected }”, got { $got }. Nothing was changed.
problem-json-newer = This state was saved by a newer version of the page: it is of version { $got }, this page reads up to version { $expected }. Nothing was changed.

## Links

problem-link-foreign = What stands after # in this address is no state of this page: expected it to begin with “{ $expected }”. Nothing was changed.
problem-link-newer = This link was made by a newer version of the page: it is of version { $got }, this page reads up to version { $expected }. Nothing was changed.
problem-link-long = A link of this page has at most { $limit } characters, this one has { $got }. Nothing was changed.
problem-link-damaged = This link is not whole: it was cut off or altered on its way. Expected the link as it was copied; nothing was changed.
problem-link-example = This link begins with the example { $got }, which this page does not have; it has { $known }. Nothing was changed.
problem-link-changed = The numbers of the example “{ $example }” are not those that this link was made with, so it would show something else. Nothing was changed.

## Pasted text

problem-paste-empty = There are no numbers in this text: expected a table or a list of them. Nothing was changed.
problem-paste-long = This text is too long for a matrix that can be shown here: expected at most { $limit } characters, got { $got }. Nothing was changed.
problem-paste-number = Row { $row }, cell { $column }: expected a finite number such as 0.25, got “{ $text }”. Nothing was changed.
problem-paste-ragged = All rows must have the same number of cells: expected { $expected } as in the first, got { $got } in row { $row }. Nothing was changed.
problem-paste-header = Expected a label above each of { $expected } columns, got { $got } labels. Nothing was changed.
problem-paste-elided = This printout leaves numbers out (“…”): expected all of them. In PyTorch print after torch.set_printoptions(threshold=10_000), in NumPy after np.set_printoptions(threshold=10_000). Nothing was changed.
problem-paste-cut = The text ends before the list does: expected { $open } more closing { $open ->
    [one] bracket
   *[other] brackets
  }. Nothing was changed.
problem-paste-behind = Expected nothing after the last bracket but options such as dtype, got “{ $text }”. Nothing was changed.
problem-paste-mixed = Row { $row } is a number, expected a list like the others. Nothing was changed.
problem-paste-deep = Expected a matrix, rows of numbers, got lists within row { $row }: paste one head or one sequence at a time. Nothing was changed.

## Sharing and keeping

share = Share
share-title = Share what is on the screen
share-what = This link holds the whole state, edited numbers included, in { $length } characters. Nothing is sent anywhere: all of it stands in the link.
share-link = Link
share-copy = Copy link
share-qr = QR code of the link
share-no-qr = The link is too long for a QR code that a camera reads across a room.
share-local = This page was opened from a file, so the link works only where this file lies in the same place. For others, append the part from # to the address of their own page.
share-long = This state is too long for a link: it would have { $length } characters, and mail and chat programs cut longer ones than { $limit }. Save it as a file instead.
share-file = Save as a file…
said-copied = Copied.
problem-copy = The browser did not allow copying. Select the text and press Ctrl+C.
dialog-close = Close
said-link = Opened from the link. Undo brings back what was there.
said-restored = Restored as you left it.
said-afresh = Started afresh. Undo brings back what was there.
problem-kept = What was kept in this browser could not be opened. { $problem }
problem-not-kept = This browser keeps nothing of this page, or has no room left, and the state is too long for a link: closing the page would lose it. Save it as a file, under Export.
start-afresh = Start afresh
keep-restored = Keep it
did-link = opening a link
did-restore = restoring what was kept
did-afresh = starting afresh
