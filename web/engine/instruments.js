// What a layer says about its own numbers: the bugs that can be planted and what they need. Plain objects only;
// layer.js's methods are their public face and documentation. All numbers are the core's. Read next: src/faults.c.

/**
 * @typedef {import('./handle.js').Handle} Handle
 * @typedef {import('./options.js').FaultName} FaultName
 * @typedef {{ name: FaultName, missing: string | null, hasPlace: boolean }} Fault
 */

/** @param {Handle} handle @returns {Fault[]} */
export function listFaults(handle) {
  const c = handle.exports('faults');
  const choices = handle.core.options.get('fault')?.choices ?? [];
  return choices.map((name, choice) => ({
    name: /** @type {FaultName} */ (name),
    missing: handle.core.text(c.attn_fault_missing(handle.pointer, choice)) || null,
    hasPlace: c.attn_fault_has_place(choice) === 1,
  })).filter(({ name }) => name !== 'none');
}
