/**
 * Text in files of markup, SVG and HTML: escaping that no label gets out of, and how wide a text will be, roughly, where
 * no browser measures it. Pure. Next to read: figure.js, worksheet.js.
 */

const ENTITIES = /** @type {Record<string, string>} */ ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' });

/** Text for an element or a quoted attribute; what XML cannot hold at all becomes U+FFFD. @param {unknown} text */
export function escape(text) {
  return String(text)
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

/**
 * An element, its attributes escaped. `content` is markup, or text that went through escape.
 * @param {string} name @param {Record<string, string | number>} attributes @param {string} [content]
 */
export function element(name, attributes, content = '') {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`).join('');
  return `<${name}${list}>${content}</${name}>`;
}

/** What a reader sees as one character each. @param {string} text */
const graphemes = (text) => Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);

/** The width of a grapheme in parts of the font size, on the wide side. @param {string} grapheme */
function ems(grapheme) {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u.test(grapheme)) return 1.1;
  return /^[\x20-\x7f]$/.test(grapheme) ? /[mwMW@%]/.test(grapheme) ? 0.9 : /[A-Z]/.test(grapheme) ? 0.7 : 0.57 : 0.75;
}

/** @param {string} text @param {number} size of the font in pixels */
export function widthOf(text, size) {
  return graphemes(text).reduce((sum, grapheme) => sum + ems(grapheme), 0) * size;
}

/** Cut to a width, with "…" for what is left out. @param {string} text @param {number} size @param {number} room in pixels */
export function fitted(text, size, room) {
  if (widthOf(text, size) <= room) return text;
  const kept = graphemes(text);
  while (kept.length > 0 && widthOf(`${kept.join('')}…`, size) > room) kept.pop();
  return `${kept.join('')}…`;
}

/** Broken into lines at spaces. @param {string} text @param {number} size @param {number} room in pixels */
export function wrapped(text, size, room) {
  return text.split(' ').reduce((/** @type {string[]} */ lines, word) => {
    const last = lines.length - 1;
    if (last < 0 || widthOf(`${lines[last]} ${word}`, size) > room) return [...lines, word];
    return [...lines.slice(0, -1), `${lines[last]} ${word}`];
  }, []);
}

/** Broken into as few lines as there must be, all about as long: no word is left alone. @param {string} text @param {number} size @param {number} room in pixels */
export function balanced(text, size, room) {
  const lines = wrapped(text, size, room);
  let narrow = room;
  while (narrow > size && wrapped(text, size, narrow - size).length === lines.length) narrow -= size;
  return wrapped(text, size, narrow);
}
