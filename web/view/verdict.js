/**
 * What the comparison of the two routes says, in words: which rows differ, and where to look. Pure.
 * Next to read: side.js, routes.js.
 */

/** @typedef {import('./frame.js').Frame} Frame */

/**
 * Where to look is what the comparison to 10⁻⁶ says: a tolerance that hides rows, or shows the last bit, must not point
 * elsewhere.
 * @param {Frame} frame @returns {string}
 */
export function verdict(frame) {
  const { state, derived, t } = frame;
  const { routes, pointing } = derived.computed;
  const rows = routes.rows.map(({ token }) => token);
  const args = { list: listed(rows), count: rows.length };
  if (pointing.verdict === 'agree' && rows.length > 0) {
    return t(routes.rows.every(({ term }) => term === null) ? 'verdict-order' : 'verdict-rounding', args);
  }
  const sentence = pointed(frame);
  if (args.list === listed(pointing.rows.map(({ token }) => token))) return sentence;
  const by = state.view.tolerance === 'displayed' ? 'displayed' : 'exact';
  return t('verdict-by', { ...args, by, verdict: sentence });
}

/** Whether nothing but rounding sets the routes apart. @param {Frame} frame */
export const agreed = ({ derived }) => derived.computed.pointing.verdict === 'agree';

/** @param {Frame} frame @returns {string} */
function pointed({ derived, t }) {
  const routes = derived.computed.pointing;
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
