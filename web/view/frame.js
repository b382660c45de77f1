/**
 * What the view is given, as types: a frame is all that one painting of the page depends on. Holds no code.
 * Next to read: page.js.
 */

/**
 * @typedef {{ grid: string, row: number, column: number }} Place  a cell of a grid; column −1 is the row's label
 * @typedef {Place & { text: string, invalid: boolean }} Editing
 * @typedef {{ point: string, ends: Record<string, import('./plane-geometry.js').Ends> }} Held  a point of a plane that has
 *   the focus, and the ends of the axes of each plane, which stay meanwhile
 * @typedef {{ text: string, kind: 'problem' | 'hint' | 'said' | 'restored' }} Notice  what is said is heard only, the rest is seen
 *
 * @typedef {{ said: string } & ({ kind: 'share', url: string | null, length: number, limit: number, qr: { size: number, path: string } | null,
 *     local: boolean } | { kind: 'export', tensor: string } | { kind: 'open', name: string | null, summary: string,
 *     ready: boolean, find: string, arrays: Offer[] }
 *   | { kind: 'class', start: 'example' | 'state', url: string | null, length: number, local: boolean, plans: string | null,
 *     ready: { example: string, url: string }[] }
 *   | { kind: 'keys', places: import('../content/keys.js').Place[] })} Dialog  said: the last sentence in it; find: what names are searched for
 *   url null: too long; local: the page was opened from a file; plans: where a teacher's plans are, if they are there
 *
 * @typedef {{ name: string, shape: string, place: string, transpose: boolean, why: string, stays: boolean }} Offer  an array of a file:
 *   why it cannot be used, '' if it can; whether it stays in the list, although its name is not the one searched for
 *
 * @typedef {object} Ui  what is neither document nor view: the cursor, the field being edited, the last word said
 * @property {Record<string, { row: number, column: number }>} cursors  the cell of each grid that Tab reaches
 * @property {Place | null} focus
 * @property {Editing | null} editing
 * @property {Notice | null} notice
 * @property {Dialog | null} dialog  what is open in front of the page
 * @property {boolean} blank  whether the screen of a presentation is dark
 * @property {boolean} shortcuts  whether keys of one character do something on their own
 * @property {boolean} settings  whether the switches are unfolded, where there is no room for them
 * @property {Held | null} held  a point of a plane that has the focus
 * @property {boolean} canUndo
 * @property {boolean} canRedo
 * @property {boolean} playing  whether training goes on by itself
 * @property {Stop | null} stopped  why it does not, if nobody paused it
 * @property {number | 'none' | null} floor  the best loss with uniform attention; none: it cannot be computed; null: not yet
 * @property {LargeRun | null} large  how far a large sequence is; null: its instrument is not open
 * @property {Checks | null} checks  what the checks have found so far; null until they were asked for
 *
 * @typedef {object} Checks
 * @property {Partial<Record<'rowSums' | 'meanWeight' | 'causalLeak' | 'routes' | 'splitHeads', Finding>>} state
 * @property {{ count: number, done: number, failed: { source: string, problem: string }[], apart: number }} answers
 * @typedef {{ state: 'passed' | 'failed' | 'off', figure: number, allowed: number, rows: number[],
 *   moved?: { token: number, rows: number[] }[], verdict?: string, heads?: number[], expected?: number }} Finding
 *
 * @typedef {object} LargeRun
 * @property {'working' | 'ready' | 'stopped' | 'refused' | 'failed' | 'no-memory' | 'no-worker'} status
 * @property {number} step          while working: which of the steps it is at, from 1
 * @property {number} share         of that step that is done, from 0 to 1
 * @property {import('../model/derive.js').Large | null} made  what is on the map; null: nothing
 * @property {Partial<Record<import('../model/large.js').Entry, import('../model/large.js').Wrong>>} wrong  entries that were not taken
 * @property {number} bytes         that its layer takes
 * @property {number} limit         that a layer may take
 * @property {number} milliseconds  that it took, when ready
 * @property {string} reason        in the words of the engine or of the browser, where it failed
 *
 * @typedef {{ why: 'loss' | 'steps' | 'hidden' | 'changed' | 'diverged' | 'gradient', rate: number, steps: number }} Stop  rate: of learning,
 *   steps: taken by the run that ended
 *
 * @typedef {{ mathml: string, code: string }} Formula
 *
 * @typedef {object} Content  what is taught, as data
 * @property {import('../content/notes.js').Notes[]} notes
 * @property {import('../content/cards.js').Card[]} cards
 * @property {Record<string, Formula>} formulas
 *
 * @typedef {object} Frame
 * @property {import('../model/derive.js').State} state
 * @property {import('../model/derive.js').Tensors} tensors
 * @property {import('../model/derive.js').Derived} derived
 * @property {Ui} ui
 * @property {{ id: string, chapter: number | null }[]} examples
 * @property {Content} content
 * @property {import('../content/chapters.js').Chapter[]} chapters  in teaching order
 * @property {(id: string, args?: Record<string, string | number>) => string} t  text from the message file
 */

export {};
