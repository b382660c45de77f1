/**
 * Every key that the page answers to, by the place where it has a meaning: data only. A key is written as the browser
 * names it. `file` of ../app handles it; null: the browser does. Tests press each key and look for others in app/.
 * Imports nothing. Next to read: ../view/keys.js, en-classroom.ftl (keys-<id>).
 */

/**
 * @typedef {{ id: string, keys: string[] }} Entry
 * @typedef {{ place: string, file: string | null, entries: Entry[] }} Place
 */

/** @type {Place[]} */
export const places = [
  { place: 'anywhere', file: 'keys.js', entries: [
    { id: 'help', keys: ['?'] },
    { id: 'present', keys: ['p'] },
  ] },
  { place: 'history', file: 'controls.js', entries: [
    { id: 'undo', keys: ['Ctrl+z'] },
    { id: 'redo', keys: ['Ctrl+Shift+z', 'Ctrl+y'] },
    { id: 'press', keys: ['Enter', ' '] },
  ] },
  { place: 'matrix', file: 'grid-keys.js', entries: [
    { id: 'move', keys: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] },
    { id: 'ends', keys: ['Home', 'End'] },
    { id: 'corners', keys: ['Ctrl+Home', 'Ctrl+End'] },
    { id: 'edit', keys: ['Enter', 'F2'] },
    { id: 'type', keys: ['number', 'letter'] },
    { id: 'empty', keys: ['Delete', 'Backspace'] },
    { id: 'keep', keys: ['Enter', 'Tab'] },
    { id: 'drop', keys: ['Escape'] },
  ] },
  { place: 'terms', file: 'inspector.js', entries: [
    { id: 'term-on', keys: [']'] },
    { id: 'term-back', keys: ['['] },
    { id: 'term-all', keys: ['}'] },
    { id: 'term-none', keys: ['{'] },
  ] },
  { place: 'plane', file: 'plane-points.js', entries: [
    { id: 'point-move', keys: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] },
    { id: 'point-finer', keys: ['Shift+ArrowRight'] },
    { id: 'point-press', keys: ['Enter', ' '] },
    { id: 'point-drop', keys: ['Escape'] },
  ] },
  { place: 'presenting', file: 'present.js', entries: [
    { id: 'next', keys: ['ArrowRight', ' ', 'PageDown'] },
    { id: 'previous', keys: ['ArrowLeft', 'PageUp'] },
    { id: 'rows', keys: ['ArrowUp', 'ArrowDown'] },
    { id: 'blank', keys: ['b', '.'] },
    { id: 'leave', keys: ['Escape'] },
  ] },
  { place: 'dialog', file: null, entries: [
    { id: 'close', keys: ['Escape'] },
  ] },
];
