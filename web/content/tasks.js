/**
 * How the data of a task stand on the screen when it is opened: labels of the tokens and the row that is looked at.
 * Data only; imports nothing. The numbers come from ../model/tasks.js, the words for a task from the message file.
 */

/** @typedef {{ id: 'fetch' | 'copy', tokens: string[], row: number }} TaskStart  row from 0 */

/** @type {TaskStart[]} */
export const taskStarts = [
  { id: 'fetch', tokens: ['red leader', 'blue leader', 'red', 'blue', 'red', 'blue'], row: 4 },
  { id: 'copy', tokens: ['first', 'second', 'third', 'fourth'], row: 2 },
];

/** The seed that draws the weights of a task when it is opened. */
export const FIRST_SEED = 123;
