// Attention once more, in plain JavaScript and double precision, from a document's numbers alone: what answers to questions
// are held against. It shares no line with the module, its engine or the page. Stored tensors are rounded to float32, as
// the module stores them. Read next: questions.test.js.

/**
 * @typedef {import('../../web/model/state.js').Doc} Doc
 * @typedef {number[][]} Rows
 * @typedef {{ queries: Rows, keys: Rows, values: Rows, attn_scores: Rows[], attn_weights: Rows[], context_vecs: Rows, heads: number }} Attention
 *   scores and weights by head; scores −∞ where masked
 */

const stored = (/** @type {Rows} */ rows) => rows.map((row) => row.map(Math.fround));

/** @param {Rows} a @param {Rows} b */
function product(a, b) {
  return stored(a.map((row) => b[0].map((_, column) => row.reduce((sum, value, k) => sum + value * b[k][column], 0))));
}

/** The columns of one head. @param {Rows} rows @param {number} head @param {number} size */
const block = (rows, head, size) => rows.map((row) => row.slice(head * size, (head + 1) * size));

/** @param {number[]} scores */
function softmax(scores) {
  const max = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - max));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/** @param {Doc} doc @returns {Attention} a bug that is planted is not in it */
export function attentionOf(doc) {
  const inputs = stored(doc.inputs);
  const trained = doc.source === 'trained';
  const heads = trained ? doc.heads : 1;
  const by = (/** @type {Rows} */ weights) => (trained ? product(inputs, stored(weights)) : inputs);
  const [queries, keys, values] = [by(doc.w_query), by(doc.w_key), by(doc.w_value)];
  const size = values[0].length / heads;
  const hidden = (/** @type {number} */ row, /** @type {number} */ column) => doc.causal && column > row;
  const scale = doc.scale === 'none' ? 1 : 1 / Math.sqrt(size);
  /** @type {Attention} */
  const all = { queries, keys, values, attn_scores: [], attn_weights: [], context_vecs: values.map(() => []), heads };
  for (let head = 0; head < heads; head++) {
    const [q, k, v] = [queries, keys, values].map((rows) => block(rows, head, size));
    const raw = q.map((row) => k.map((_, column) => row.reduce((sum, value, e) => sum + value * k[column][e], 0) * scale));
    const scores = stored(raw.map((row, i) => row.map((score, j) => (hidden(i, j) ? -Infinity : score))));
    const given = () => stored(doc.given ?? []).map((row, i) => {
      const kept = row.map((weight, j) => (hidden(i, j) ? 0 : weight));
      const sum = kept.reduce((so, weight) => so + weight, 0);
      return !doc.causal ? row : kept.map((weight) => (sum === 0 ? 0 : weight / sum));
    });
    const weights = stored(doc.source === 'given' ? given() : scores.map(softmax));
    all.attn_scores.push(scores);
    all.attn_weights.push(weights);
    product(weights, v).forEach((row, i) => all.context_vecs[i].push(...row));
  }
  return all;
}
