/**
 * Bytes or text as a file that the browser saves, and an SVG as a PNG. Next to read: exports.js.
 */

/** How long the bytes are kept for a browser that is slow to take them. */
const KEPT_MS = 60_000;

/** @param {string} name @param {string | Uint8Array | Blob} content @param {string} type */
export function download(name, content, type) {
  const url = URL.createObjectURL(new Blob([/** @type {BlobPart} */ (content)], { type }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

/**
 * @param {{ svg: string, width: number, height: number }} figure @param {number} scale  pixels for each of the figure's
 * @returns {Promise<Blob>}
 */
export async function pngOf({ svg, width, height }, scale) {
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await picture.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width * scale, height * scale];
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the figure is too large for a picture'))), 'image/png');
  });
}

/**
 * The colours of numbers in the light theme, whatever theme the page is in: read from its own style sheet.
 * @returns {import('../io/figure.js').ColourOf}
 */
export function lightColours() {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSStyleRule && /^\.[wst]\d+$/.test(rule.selectorText));
  const styles = new Map(rules.map((rule) => {
    const { selectorText, style } = /** @type {CSSStyleRule} */ (rule);
    return [selectorText.slice(1), { ground: style.fill, ink: style.color }];
  }));
  return (kind) => {
    const colours = styles.get(kind);
    if (!colours) throw new Error(`no colour "${kind}"`);
    return colours;
  };
}
