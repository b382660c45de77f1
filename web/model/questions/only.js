/**
 * "Does the context vector of this token use its own input only?" Yes only where no other token may be looked at: the
 * chosen token is where one looks, not what one looks at. Next to read: contributes.js.
 */

import { ofOneRow, termsOf, zerosOf } from './contributes.js';

/** @type {import('../questions.js').Kind} */
export const only = {
  id: 'only',
  here: () => true,
  ask(doc, random) {
    const common = ofOneRow(doc, random);
    return {
      ...common,
      form: { type: 'words', words: ['yes', 'no'] },
      answer: (known) => {
        const terms = termsOf(known);
        const alone = terms.length === 1 && terms[0] === common.row;
        return { right: alone ? 'yes' : 'no', words: { count: terms.length, zeros: zerosOf(known) } };
      },
    };
  },
};
