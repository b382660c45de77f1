// What a layer can learn without attending: the best loss while every token draws evenly on all that it may draw on. It
// trains a layer of its own and touches no other. Read next: layer.js (trainStep).

/**
 * @typedef {import('./layer.js').Layer} Layer
 * @typedef {import('./layer.js').LayerOptions} LayerOptions
 * @typedef {import('./training.js').Goal & { layer: LayerOptions, inputs: unknown }} FloorOptions
 */

const STEPS = 3000;
const STRETCH = 100; // steps in which the loss must fall by
const FALL = 1e-4; //   this part of it, for more to be worth while

/**
 * The loss with uniform attention is that of a linear map of the average of the allowed inputs, which has one minimum;
 * training finds it to about 1e-4 of its size. With W_query and W_key zero all scores are 0, and zero both stay, for
 * each is a factor of the other's gradient. So the module itself does all of it. Yields after every step, for callers
 * that must not be kept waiting.
 * @param {(options: LayerOptions) => Layer} createLayer
 * @param {FloorOptions} options
 * @returns {Generator<void, number, void>}
 */
export function* uniformFloorSteps(createLayer, { layer: options, inputs, targets, targetRows }) {
  const layer = createLayer({ ...options, scoreSource: 'trained', fault: 'none', keepWeights: true, keepGradients: true });
  try {
    layer.init('uniform', 1, 0.5).set('inputs', inputs);
    for (const [name, dims] of Object.entries(layer.shapes())) {
      if (/^[wb]_(query|key)$/.test(name)) layer.set(name, new Float32Array(dims.reduce((n, dim) => n * dim, 1)));
    }
    let least = Infinity;
    for (let steps = 0; steps < STEPS; steps += STRETCH) {
      const before = least;
      for (let step = 0; step < STRETCH; step++) {
        const { loss } = layer.trainStep({ targets, targetRows, optimizer: 'adam', learningRate: 0.05 });
        least = Math.min(least, loss);
        yield;
      }
      if (least > before * (1 - FALL)) return least;
    }
    return least;
  } finally {
    layer.dispose();
  }
}

/**
 * The same at one go.
 * @param {(options: LayerOptions) => Layer} createLayer
 * @param {FloorOptions} options
 * @returns {number}
 */
export function uniformFloor(createLayer, options) {
  const steps = uniformFloorSteps(createLayer, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
