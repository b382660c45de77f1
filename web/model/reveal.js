/**
 * What "next" and "back" mean while presenting: the answer of a question that is open, then its end, and back the answer
 * covered again, behind which nothing moves; where rows are shown one by one, the next row; else the next term of the chosen row, and after its last the next row. Pure. Next to read: classroom.js, ../app/present.js.
 */

/**
 * @typedef {import('./state.js').State} State
 * @typedef {import('./update.js').Action} Action
 */

/**
 * @param {State} state @param {number} terms  of the chosen row's sum
 * @returns {Action[] | null}  what is to be done, in order; null: all is shown
 */
export function forth({ document: { tokens }, view: { classroom, question, row, step } }, terms) {
  if (question) return [{ type: question.revealed ? 'unask' : 'unveil' }];
  const count = tokens.length;
  if (classroom && classroom.rows !== null) return classroom.rows < count ? toRows(classroom.rows + 1) : null;
  if (step === null) return [{ type: 'step', step: 0 }];
  if (step < terms) return [{ type: 'step', step: step + 1 }];
  return row < count - 1 ? [{ type: 'row', row: row + 1 }, { type: 'step', step: 0 }] : null;
}

/** @type {typeof forth} */
export function back({ view: { question, classroom, row, step } }) {
  if (question) return question.revealed ? [{ type: 'cover' }] : null;
  if (classroom && classroom.rows !== null) return classroom.rows > 0 ? toRows(classroom.rows - 1) : null;
  if (step !== null && step > 0) return [{ type: 'step', step: step - 1 }];
  // A row that is not stepped through stands there whole.
  if (step === 0 && row > 0) return [{ type: 'row', row: row - 1 }];
  return step === 0 ? [{ type: 'step', step: null }] : null;
}

/** So many rows are shown, and the last of them is chosen. @param {number} rows @returns {Action[]} */
function toRows(rows) {
  return [{ type: 'classroom', change: { rows } }, { type: 'row', row: Math.max(0, rows - 1) }];
}
