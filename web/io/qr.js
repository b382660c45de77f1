/**
 * A text as a QR code, for the projector: the dark squares as one SVG path. Longer texts than a camera reads from the
 * back row are refused. Pure. Next to read: link.js; ../view/share.js, which shows it.
 */

import qrcode from 'qrcode-generator';

/** Beyond this the squares become too small to be read across a room. */
export const MAX_QR = 800;

/**
 * @param {string} text  ASCII, as addresses are
 * @returns {{ size: number, path: string } | null} size: squares to a side; null if the text is too long
 */
export function qrOf(text) {
  if (text.length > MAX_QR) return null;
  const code = qrcode(0, 'L');
  code.addData(text, 'Byte');
  code.make();
  const size = code.getModuleCount();
  let path = '';
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (!code.isDark(row, column)) continue;
      const start = column;
      while (column + 1 < size && code.isDark(row, column + 1)) column += 1;
      path += `M${start} ${row}h${column + 1 - start}v1H${start}z`;
    }
  }
  return { size, path };
}
