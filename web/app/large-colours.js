/**
 * The colours of weights as the page has them now, light or dark, as a table for the module's pictures: read from the
 * style sheet, so that a hue means on the map what it means in every grid. Next to read: ../engine/picture.js.
 */

const RAMP = 256;
const MASKED = ['--page', '--hatch'];

/**
 * 258 colours: of 0, of 255 steps up to the top, and ground and line of what is masked.
 * @param {HTMLElement} root @returns {Uint32Array}
 */
export function weightColours(root) {
  // All at once, so that styles are worked out once.
  const probes = document.createElement('p');
  probes.hidden = true;
  for (let step = 0; step < RAMP; step += 1) {
    // As in ../model/derive.js: what is not 0 never has the colour of 0.
    const kind = Math.max(Math.min(step, 1), Math.round((100 * step) / (RAMP - 1)));
    probes.append(Object.assign(document.createElement('i'), { className: `swatch w${kind}` }));
  }
  root.append(probes);
  const ramp = [...probes.children].map((probe) => getComputedStyle(probe).backgroundColor);
  const masked = MASKED.map((name) => getComputedStyle(probes).getPropertyValue(name));
  probes.remove();
  return bytesOf([...ramp, ...masked]);
}

/** Colours as a style sheet writes them, in the bytes of ImageData. @param {string[]} colours */
function bytesOf(colours) {
  const canvas = document.createElement('canvas');
  canvas.width = colours.length;
  canvas.height = 1;
  const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { willReadFrequently: true }));
  colours.forEach((colour, i) => {
    ink.fillStyle = colour;
    ink.fillRect(i, 0, 1, 1);
  });
  return new Uint32Array(ink.getImageData(0, 0, colours.length, 1).data.buffer);
}
