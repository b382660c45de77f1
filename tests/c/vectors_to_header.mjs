// Writes the known answers that the C tests need, out of tests/vectors/*.json, as C arrays:
//   node tests/c/vectors_to_header.mjs build/c_vectors.h
// Each tensor of a case becomes  static const double CASE_TENSOR[] = {…};  nothing is computed here.
import { readFileSync, writeFileSync } from 'node:fs';

const wanted = {
  'published_book_chapter.json': ['softmax_row2', 'tril_6', 'self_v1', 'self_v2', 'mha_batch', 'causal_weights'],
  'published_other.json': [
    'eecs_sdpa_single', 'eecs_sdpa_causal_batch', 'keras_attention_dot', 'keras_softmax_fully_masked', 'dlai_sdpa',
  ],
  'pytorch_gradients.json': ['context_batched', 'mha_full'],
};

/** @param {unknown} value @returns {value is { shape: number[], data: number[] }} */
const isTensor = (value) => typeof value === 'object' && value !== null && 'shape' in value && 'data' in value;

/** All tensors inside a case, named by the last key of their path. @param {Record<string, unknown>} part
 * @returns {[string, number[]][]} */
function tensorsOf(part) {
  return Object.entries(part).flatMap(([key, value]) => {
    if (isTensor(value)) return [/** @type {[string, number[]]} */ ([key, value.data])];
    return key !== 'torch_float32_error' && typeof value === 'object' && value !== null
      ? tensorsOf(/** @type {Record<string, unknown>} */ (value)) : [];
  });
}

/** A C literal of the exact double. @param {number} x */
const literal = (x) => (Number.isInteger(x) ? x.toFixed(1) : String(x));

const lines = [
  '/* c_vectors.h: known answers for the C tests, written by tests/c/vectors_to_header.mjs; do not edit. */',
  '#ifndef C_VECTORS_H',
  '#define C_VECTORS_H',
];
for (const [file, names] of Object.entries(wanted)) {
  const cases = JSON.parse(readFileSync(new URL(`../vectors/${file}`, import.meta.url), 'utf8'));
  for (const name of names) {
    const found = cases.find((/** @type {{ name: string }} */ one) => one.name === name);
    if (!found) throw new Error(`${file} has no case "${name}"`);
    for (const [tensor, data] of tensorsOf(found)) {
      lines.push(`static const double ${name}_${tensor}[${data.length}] = {${data.map(literal).join(', ')}};`);
    }
  }
}
lines.push('#endif', '');
writeFileSync(process.argv[2], lines.join('\n'));
