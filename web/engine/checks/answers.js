// Every known answer that a layer can express, by file of tests/vectors: which cases are run, and how. The page and the
// Node tests run this code, on the same files. Read next: book.js, published.js, torch.js, cases.js.

import { book } from './book.js';
import { published } from './published.js';
import { torch } from './torch.js';

/** @type {Record<string, import('./cases.js').KnownAnswers>} by file */
export const ANSWERS = {
  'published_book_chapter.json': book,
  'published_other.json': published,
  'pytorch_gradients.json': torch,
};

/** Whether no rule leaves this case out. @param {string} file @param {any} c */
export function isRun(file, c) {
  return !Object.values(ANSWERS[file].leftOut).some((rule) => rule(c));
}
