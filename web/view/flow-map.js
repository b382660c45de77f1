/**
 * The flow of numbers as data: the stations of a configuration, which leads to which, where each stands, and in which
 * grid its tensor is seen. Only the weight matrices are trainable. Pure; knows no pixel.
 * Next to read: flow.js, which draws it; ../app/stations.js, which goes there.
 */

/**
 * @typedef {object} Station
 * @property {string} id        of its name in the message file: flow-<id>
 * @property {number} lane      0 at the top
 * @property {string[]} from    stations that lead here
 * @property {string} tensor    that it shows
 * @property {string} [times]   a second tensor, where the station is their product
 * @property {boolean} [trainable]
 *
 * @typedef {Station & { column: number }} Placed
 * @typedef {{ source: 'given' | 'inputs' | 'trained', causal: boolean, project: boolean }} Configuration
 */

/**
 * @param {Configuration} configuration @param {boolean} unfolded @returns {Placed[]}
 */
export function flowMap({ source, causal, project }, unfolded) {
  const trained = source === 'trained';
  const middle = !unfolded ? 0 : trained ? 1.25 : 0.5;
  /** @type {(Station | false)[]} */
  const before = !unfolded ? [
    { id: 'inputs', lane: 0, from: [], tensor: 'inputs' },
    trained && { id: 'matrices', lane: 0, from: ['inputs'], tensor: 'w_query', trainable: true },
  ] : trained ? [
    { id: 'inputs', lane: 1, from: [], tensor: 'inputs' },
    { id: 'w_query', lane: 0, from: ['inputs'], tensor: 'w_query', trainable: true },
    { id: 'w_key', lane: 1, from: ['inputs'], tensor: 'w_key', trainable: true },
    { id: 'w_value', lane: 2, from: ['inputs'], tensor: 'w_value', trainable: true },
    { id: 'queries', lane: 0, from: ['w_query'], tensor: 'queries' },
    { id: 'keys', lane: 1, from: ['w_key'], tensor: 'keys' },
    { id: 'scores', lane: 0.5, from: ['queries', 'keys'], tensor: 'attn_scores' },
    causal && { id: 'mask', lane: 0.5, from: ['scores'], tensor: 'attn_scores' },
    { id: 'softmax', lane: 0.5, from: [causal ? 'mask' : 'scores'], tensor: 'attn_weights' },
    { id: 'values', lane: 2, from: ['w_value'], tensor: 'values' },
  ] : source === 'inputs' ? [
    { id: 'inputs', lane: 1, from: [], tensor: 'inputs' },
    { id: 'scores', lane: 0, from: ['inputs'], tensor: 'attn_scores' },
    causal && { id: 'mask', lane: 0, from: ['scores'], tensor: 'attn_scores' },
    { id: 'softmax', lane: 0, from: [causal ? 'mask' : 'scores'], tensor: 'attn_weights' },
  ] : [
    { id: 'given', lane: 0, from: [], tensor: 'attn_weights' },
    causal && { id: 'mask', lane: 0, from: ['given'], tensor: 'attn_weights' },
    { id: 'inputs', lane: 1, from: [], tensor: 'inputs' },
  ];
  const weights = source === 'given' ? (causal ? 'mask' : 'given') : 'softmax';
  const rows = trained ? 'values' : 'inputs';
  const blends = !unfolded ? [trained ? 'matrices' : 'inputs'] : [weights, rows];
  return inColumns([
    ...before,
    { id: 'sum', lane: middle, from: blends, tensor: 'attn_weights', times: rows },
    { id: 'context', lane: middle, from: ['sum'], tensor: 'context_vecs' },
    trained && project && { id: 'w_out', lane: middle, from: ['context'], tensor: 'w_out', trainable: true },
    trained && project && { id: 'outputs', lane: middle, from: ['w_out'], tensor: 'outputs' },
  ]);
}

/**
 * Each station one column after the last of those that lead to it.
 * @param {(Station | false)[]} stations @returns {Placed[]}
 */
function inColumns(stations) {
  /** @type {Map<string, Placed>} */
  const placed = new Map();
  for (const station of stations) {
    if (!station) continue;
    const columns = station.from.map((id) => /** @type {Placed} */ (placed.get(id)).column);
    placed.set(station.id, { ...station, column: Math.max(-1, ...columns) + 1 });
  }
  return [...placed.values()];
}

/** The grid that shows a tensor; of several heads that of the one shown. @param {string} tensor @param {number} head */
export function gridOf(tensor, head) {
  return tensor === 'attn_weights' || tensor === 'attn_scores' ? `${tensor}-${head}` : tensor;
}

/** The instrument that holds a tensor's grid, if it is not on the page anyway. @param {string} tensor */
export function panelOf(tensor) {
  return tensor === 'queries' || tensor === 'keys' || tensor === 'attn_scores' ? 'scores' : null;
}
