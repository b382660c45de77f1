// Writes the ONNX model of multi-head attention that onnxruntime-web runs: protobuf by hand, for a model is a few
// nested messages and needs no library. It must hold exactly the computation of problem.js and nothing that would
// slow the peer down. Field numbers are those of onnx.proto3 (ONNX 1.16, IR version 8).
// Read next: peers/onnx.js, which runs it.

/** @typedef {{ name: string, dims: number[], data: Float32Array | BigInt64Array }} Constant */
/** @typedef {Record<string, number | number[]>} Attributes whole numbers and lists of them, all that is used here */
/** @typedef {{ op: string, inputs: string[], outputs: string[], attributes?: Attributes }} Node */

const FLOAT = 1;
const INT64 = 7;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;

/** A whole number in protobuf's base 128. @param {number} value 0 or more */
function varint(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push(value % 128 + 128);
  return Buffer.from([...bytes, value]);
}

/** A number in field `id`. @param {number} id @param {number} value */
const number = (id, value) => Buffer.concat([varint(id * 8), varint(value)]);

/** Bytes, text or a message in field `id`. @param {number} id @param {Uint8Array | string} content */
function bytes(id, content) {
  const body = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  return Buffer.concat([varint(id * 8 + 2), varint(body.length), body]);
}

/** @param {string} name @param {number | number[]} value */
const attribute = (name, value) => Buffer.concat([bytes(1, name), ...(Array.isArray(value)
  ? [...value.map((one) => number(8, one)), number(20, ATTRIBUTE_INTS)]
  : [number(3, value), number(20, ATTRIBUTE_INT)])]);

/** @param {Node} node */
const nodeMessage = ({ op, inputs, outputs, attributes = {} }) => Buffer.concat([
  ...inputs.map((name) => bytes(1, name)), ...outputs.map((name) => bytes(2, name)), bytes(4, op),
  ...Object.entries(attributes).map(([name, value]) => bytes(5, attribute(name, value))),
]);

/** @param {Constant} constant */
const tensorMessage = ({ name, dims, data }) => Buffer.concat([
  ...dims.map((dim) => number(1, dim)), number(2, data instanceof Float32Array ? FLOAT : INT64), bytes(8, name),
  bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)),
]);

/** A float tensor that goes in or comes out. @param {string} name @param {number[]} dims */
function valueMessage(name, dims) {
  const shape = Buffer.concat(dims.map((dim) => bytes(1, number(1, dim))));
  return Buffer.concat([bytes(1, name), bytes(2, bytes(1, Buffer.concat([number(1, FLOAT), bytes(2, shape)])))]);
}

/**
 * The bytes of a model.
 * @param {object} graph
 * @param {Node[]} graph.nodes in the order of computation
 * @param {Constant[]} graph.constants
 * @param {Record<string, number[]>} graph.inputs dims by name
 * @param {Record<string, number[]>} graph.outputs
 */
function model({ nodes, constants, inputs, outputs }) {
  const graph = Buffer.concat([
    ...nodes.map((node) => bytes(1, nodeMessage(node))), bytes(2, 'attention'),
    ...constants.map((constant) => bytes(5, tensorMessage(constant))),
    ...Object.entries(inputs).map(([name, dims]) => bytes(11, valueMessage(name, dims))),
    ...Object.entries(outputs).map(([name, dims]) => bytes(12, valueMessage(name, dims))),
  ]);
  const opset = number(2, 17);
  return Buffer.concat([number(1, 8), bytes(7, graph), bytes(8, opset)]);
}

/**
 * Attention with projections. The projection weights are constants, which lets the runtime pack them once; the scale
 * is folded into w_query, which spares it a pass over the scores.
 * @param {import('./problem.js').Problem} problem
 * @returns {Buffer}
 */
export function attentionModel({ size: { nTokens: T, d, nHeads: H }, causal, wQuery, wKey, wValue, wOut }) {
  const headDim = d / H;
  const scaled = wQuery.map((w) => w / Math.sqrt(headDim));
  const mask = new Float32Array(causal ? T * T : 0);
  for (let i = 0; causal && i < T; i++) mask.fill(-Infinity, i * T + i + 1, (i + 1) * T);
  /** @param {string} name @param {number[]} perm @returns {Node[]} */
  const split = (name, perm) => [
    { op: 'Reshape', inputs: [name, 'by_head'], outputs: [`${name}_split`] },
    { op: 'Transpose', inputs: [`${name}_split`], outputs: [`${name}_heads`], attributes: { perm } },
  ];
  return model({
    inputs: { inputs: [T, d] },
    outputs: { attn_weights: [H, T, T], context_vecs: [T, d], outputs: [T, d] },
    constants: [
      { name: 'w_query', dims: [d, d], data: scaled }, { name: 'w_key', dims: [d, d], data: wKey },
      { name: 'w_value', dims: [d, d], data: wValue }, { name: 'w_out', dims: [d, d], data: wOut },
      { name: 'by_head', dims: [3], data: BigInt64Array.of(BigInt(T), BigInt(H), BigInt(headDim)) },
      { name: 'side_by_side', dims: [2], data: BigInt64Array.of(BigInt(T), BigInt(d)) },
      ...(causal ? [{ name: 'mask', dims: [T, T], data: mask }] : []),
    ],
    nodes: [
      { op: 'MatMul', inputs: ['inputs', 'w_query'], outputs: ['queries'] },
      { op: 'MatMul', inputs: ['inputs', 'w_key'], outputs: ['keys'] },
      { op: 'MatMul', inputs: ['inputs', 'w_value'], outputs: ['values'] },
      ...split('queries', [1, 0, 2]), ...split('keys', [1, 2, 0]), ...split('values', [1, 0, 2]),
      { op: 'MatMul', inputs: ['queries_heads', 'keys_heads'], outputs: ['scores'] },
      ...(causal ? [{ op: 'Add', inputs: ['scores', 'mask'], outputs: ['masked'] }] : []),
      { op: 'Softmax', inputs: [causal ? 'masked' : 'scores'], outputs: ['attn_weights'], attributes: { axis: 2 } },
      { op: 'MatMul', inputs: ['attn_weights', 'values_heads'], outputs: ['context_heads'] },
      { op: 'Transpose', inputs: ['context_heads'], outputs: ['context_split'], attributes: { perm: [1, 0, 2] } },
      { op: 'Reshape', inputs: ['context_split', 'side_by_side'], outputs: ['context_vecs'] },
      { op: 'MatMul', inputs: ['context_vecs', 'w_out'], outputs: ['outputs'] },
    ],
  });
}
