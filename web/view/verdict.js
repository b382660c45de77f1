/**
 * What the comparison of the two routes says, in words: which rows differ, and where to look. Pure.
 * Next to read: side.js, routes.js.
 */

/** @typedef {import('./frame.js').Frame} Frame */

/** @param {Frame} frame @returns {string} */
export function verdict({ derived, t }) {
  const { routes } = derived.computed;
  const [first] = routes.rows;
  const list = listed(routes.rows.map(({ token }) => token));
  switch (routes.verdict) {
    case 'agree': return t('verdict-agree');
    case 'one row': return t('verdict-one', {
      row: first.token + 1, position: first.position + 1, term: first.term === null ? 'none' : first.term + 1,
    });
    case 'some rows': return routes.drawsOn === null ? t('verdict-some', { list })
      : t('verdict-draws-on', { list, token: routes.drawsOn + 1 });
    case 'every row': return t('verdict-every');
  }
}

/** Rows, tokens or heads as they are counted on the page. @param {number[]} indices from 0 */
export function listed(indices) {
  return indices.map((index) => index + 1).join(', ');
}
