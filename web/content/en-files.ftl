# Text of files of numbers that come in and of sheets that go out: in English, as en.ftl, which it is added to.

# Files of numbers
problem-file-large = This file has { $size } MB; the page opens files of up to { $limit } MB. Nothing was changed.
problem-text-large = This text file has { $size } MB, more than any matrix or state of this page takes; expected at most { $limit } MB. Nothing was changed.
problem-file-gone = The file can no longer be read: it was moved, changed or taken away since it was chosen. Choose it again. Nothing was changed.
problem-file-number = Row { $row }, column { $column }, holds { $number }; expected finite numbers of at most 3.4e38 in size. Nothing was changed.
problem-not-matrix = This array has the shape { $shape }; expected a matrix, with rows and columns. Nothing was changed.
problem-matrix-empty = This array has the shape { $shape }: it holds no numbers; expected at least one row and one column. Nothing was changed.
problem-matrix-large = This array has { $shape } numbers; here fit at most { $limit }. Nothing was changed.
problem-file-length = The header promises the shape { $shape }, which takes { $expected } bytes, and the file has { $got } bytes for it: it is damaged or was cut off. Nothing was changed.
problem-npy-magic = This is not a .npy file: expected it to begin with “·NUMPY”, and it begins with “{ $got }”. Nothing was changed.
problem-npy-cut = This .npy file ends within its header: it has only { $got } bytes. Nothing was changed.
problem-npy-version = This .npy file has format version { $got }; expected version 1, 2 or 3. Nothing was changed.
problem-npy-header-long = The header of this .npy file claims { $got } bytes; expected at most { $limit }. Nothing was changed.
problem-npy-header-cut = The header of this .npy file claims { $expected } bytes, and only { $got } follow: the file is damaged or was cut off. Nothing was changed.
problem-npy-header = The header of this .npy file does not say type, order and shape: expected 'descr', 'fortran_order' and 'shape', got “{ $got }”. Nothing was changed.
problem-npy-type = { $kind ->
    [big-endian] This array holds big-endian numbers ({ $got })
    [boolean] This array holds true and false ({ $got }), not numbers
    [object] This array holds Python objects ({ $got }), which are never opened here
   *[other] This array holds elements of type “{ $got }”
  }; expected <f4, <f8, <i4 or <i8. In NumPy, array.astype('<f4') makes it fit. Nothing was changed.
problem-zip-end = This is not a whole .npz file: expected a zip archive with its directory at the end. It may have been cut off. Nothing was changed.
problem-zip-many = This archive says that it holds { $got } files; expected at most { $limit }. Nothing was changed.
problem-zip-directory = The directory of this archive is damaged at file { $entry } of { $count }. Nothing was changed.
problem-zip-twice = This archive holds two files called “{ $name }”; expected different names. Nothing was changed.
problem-zip-large = This archive would unpack to more than { $limit } MB, which is the most that the page opens. Nothing was changed.
problem-zip-method = “{ $name }” in this archive is encrypted or packed in an unusual way; expected it stored or deflated, as numpy.savez does it. Nothing was changed.
problem-zip-damaged = “{ $name }” in this archive is damaged: it does not unpack to the size and checksum that the archive states. Nothing was changed.
problem-npz-empty = This archive holds { $count ->
    [0] nothing
   *[other] no .npy file
  }; expected arrays, as numpy.savez writes them. Nothing was changed.
problem-safetensors-cut = This is not a whole .safetensors file: its header needs { $expected } bytes, and { $got } are there. Nothing was changed.
problem-safetensors-long = The header of this .safetensors file claims { $got } bytes; expected at most { $limit }. Nothing was changed.
problem-safetensors-header = The header of this .safetensors file is damaged: expected JSON that gives each tensor dtype, shape and data_offsets, got “{ $got }”. Nothing was changed.
problem-safetensors-short = This .safetensors file is damaged or was cut off: its tensors need { $expected } bytes after the header, and { $got } are there. Nothing was changed.
problem-safetensors-place = The header of this .safetensors file puts “{ $name }” where it cannot be: expected the tensors one after the other, within the file. Nothing was changed.
problem-safetensors-rest = This .safetensors file has { $got } bytes that belong to no tensor. Nothing was changed.
problem-safetensors-type = “{ $name }” holds elements of type “{ $got }”; expected F32, F16 or BF16. Nothing was changed.
problem-safetensors-empty = This .safetensors file names no tensor. Nothing was changed.

# Worksheet
worksheet-title = Worksheet: row { $row } by hand, “{ $label }”
worksheet-answers = Answers: row { $row } by hand, “{ $label }”
worksheet-note = Fill in the framed cells, with { $digits ->
    [0] no decimals
    [one] { $digits } decimal
   *[other] { $digits } decimals
  }.{ $heads ->
    [1] {""}
   *[other] {" "}All numbers are those of head { $head }.
  } { $source ->
    [given] Multiply each row that is blended by its weight, then add the products, column by column.
   *[other] A score is the sum of the products of the query and one key{ $scaled ->
        [yes] , divided by √{ $root }
       *[no] {""}
      }. A weight is e to the power of its score, divided by the sum of these powers. Multiply each row that is blended by its weight, then add the products, column by column.
  }
worksheet-typed = The weights as typed: masked ones become 0, the others are divided by their sum
worksheet-products = Weight × row, one line for each token

# Export
export = Export
export-title = Take the numbers out
export-state = Everything that is on the screen
export-state-note = JSON and .npz open here again as they were. The scripts start from the same numbers, compute every tensor and assert that each is what the page shows.
export-bug-note = A bug is planted on the page. The scripts compute without it: they stop at the first matrix that differs, and say so.
export-figure = The figure
export-matrix = One matrix
export-which = Matrix
export-worksheet = A worksheet to fill in by hand
export-worksheet-note = For row { $row }, the chosen one: a page to print, its cells blank; the answers are a page of their own.
save-json = Save JSON
save-npz = Save .npz
save-pytorch = Save PyTorch script
save-numpy = Save NumPy script
save-svg = Save SVG
save-png = Save PNG
save-csv = Save CSV
save-tsv = Save TSV
save-npy = Save .npy
save-worksheet = Save worksheet
save-answers = Save answers
copy-tsv = Copy as TSV
copy-numpy = Copy as NumPy
copy-torch = Copy as PyTorch
said-saved = Handed to the browser: { $name }
said-saved-framed = Handed to the browser: { $name }. This page stands within another, which may not allow it to save files: if none arrives, open the page by itself, or copy the numbers.

# Open
open-button = Open file…
open-title = Bring numbers in
open-which = File
open-kinds = JSON (a saved state), CSV, TSV, .npy, .npz or .safetensors, up to 100 MB; a file may also be dropped on the page. Nothing is replaced before you have seen the sizes.
open-text = Or paste numbers here: from a spreadsheet, CSV, JSON, or as NumPy or PyTorch print them
open-read = Read the text
open-pasted = Pasted text
open-arrays = Arrays in the file
open-array = Array
open-size = Size
open-goes = Goes to
open-turned = nn.Linear weight
open-turn = Transpose
open-unnamed = without a name
open-place = Where { $name } goes
open-transpose = Transpose { $name }
open-nowhere = nowhere
open-find = Find arrays by name
open-listed = { $count } arrays, { $fit } of them fit here.
open-shown = { $shown } are shown: search for part of a name to see others.
open-why-rank = cannot be used: not a matrix
open-why-empty = cannot be used: holds no numbers
open-why-large = cannot be used: larger than { $limit }
open-why-type = cannot be used: its numbers are of type { $type }
open-none-fits = None of these arrays can be used here; each says why.
open-reading = Reading { $name } …
open-choose = Choose where the numbers go.
open-twice = Two arrays cannot both become { $matrix }.
open-sizes = { $tokens ->
    [one] { $tokens } token
   *[other] { $tokens } tokens
  } × { $dIn ->
    [one] { $dIn } input dimension
   *[other] { $dIn } input dimensions
  } → { $dOut ->
    [one] { $dOut } output dimension
   *[other] { $dOut } output dimensions
  }
open-state = A saved state: { $sizes }. It replaces all that is on the screen; Undo brings it back.
open-result = After this: { $sizes }. Undo takes it back.
open-grows = These numbers go beyond the matrix. It would grow, and with it all that shares its size, to { $sizes }.
open-confirm = Put them in
open-other = Another file or text
problem-file-kind = “{ $name }” is no file that the page reads: expected .json, .csv, .tsv, .txt, .npy, .npz or .safetensors. Nothing was changed.
problem-place = { $matrix } has { $rows } × { $columns } numbers; the others need { $expected } for { $side ->
    [nTokens] the tokens
    [dIn] the input dimensions
   *[dOut] the output dimensions
  }. Nothing was changed.
said-opened = Opened. Undo brings back what was there.
said-pasted = Pasted { $rows } × { $columns } numbers{ $labels ->
    [yes] ; the labels beside them were left out
   *[no] {""}
  }.
said-labels = Pasted { $count ->
    [one] { $count } label
   *[other] { $count } labels
  }.
open-grows-labels = There are more labels than tokens. The inputs would grow, and with them all that shares their size, to { $sizes }.
did-file = opening a file
did-place = bringing numbers or labels in
