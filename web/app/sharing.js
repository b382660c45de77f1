/**
 * The Share button: the link of the state, copied, put into the address, and as a QR code if it is short.
 * Next to read: keeping.js, ../view/share.js.
 */

import { MAX_LINK } from '../io/link.js';
import { qrOf } from '../io/qr.js';

/**
 * @param {import('./loop.js').Loop} loop
 * @param {import('./dialogs.js').Dialogs} dialogs
 * @param {ReturnType<typeof import('./keeping.js').createKeeping>} keeping
 * @returns {Record<string, (value: string) => unknown>}
 */
export function sharing(loop, dialogs, keeping) {
  const { t } = loop;

  /** @param {string} url */
  const copied = async (url) => (await dialogs.copy(url) ? t('said-copied') : t('problem-copy'));

  return {
    'share': async () => {
      const link = await keeping.link();
      const local = location.protocol === 'file:';
      const shown = { kind: /** @type {const} */ ('share'), limit: MAX_LINK, local, said: '' };
      if ('tooLong' in link) return dialogs.show({ ...shown, url: null, length: link.tooLong, qr: null });
      keeping.write(link.hash);
      const url = location.href.split('#')[0] + link.hash;
      dialogs.show({ ...shown, url, length: url.length, qr: local ? null : qrOf(url) });
      return dialogs.say(await copied(url));
    },
    'copy-link': async (url) => dialogs.say(await copied(url)),
    'start-afresh': () => keeping.afresh(),
    'dialog-close': () => dialogs.close(),
  };
}
