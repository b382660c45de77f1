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
  const probe = document.createElement('i');
  root.append(probe);
  const style = getComputedStyle(probe);
  const ramp = Array.from({ length: RAMP }, (_, step) => {
    // As in ../model/derive.js: what is not 0 never has the colour of 0.
    probe.className = `swatch w${Math.max(Math.min(step, 1), Math.round((100 * step) / (RAMP - 1)))}`;
    return style.backgroundColor;
  });
  const masked = MASKED.map((name) => style.getPropertyValue(name));
  probe.remove();
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
