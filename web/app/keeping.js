/**
 * Nothing is lost: the state follows into the address and into the browser's storage, a second behind and at once when
 * the page is hidden; when the page starts, or its address changes, what stands there is opened, as a step that can be
 * undone. A page that is left has no time to write its address: what that is behind of, its tab keeps. An address that
 * cannot be read changes nothing and says so. Next to read: storage.js, ../io/link.js.
 */

import { stateToJson } from '../io/json.js';
import { classLinkToState, isClassLink } from '../io/class-link.js';
import { linkToState, stateToLink } from '../io/link.js';

/** Browsers refuse an address that changes too often. */
const PAUSE_MS = 1000;

/**
 * @typedef {import('../model/state.js').State} State
 *
 * @typedef {object} Address  of the page, the part after #
 * @property {() => string} read  '' if there is none
 * @property {(hash: string) => void} write  without a new entry in the browser's history
 */

/**
 * @typedef {ReturnType<typeof import('./storage.js').createAutosave>} Autosave
 *
 * @param {object} parts
 * @param {import('./loop.js').Loop} parts.loop
 * @param {import('./starts.js').Starts} parts.starts
 * @param {Address} parts.address
 * @param {Autosave} parts.autosave
 * @param {(hash: string) => Autosave} parts.behind  of this tab: the state that an address is behind of
 * @param {() => void} parts.settle  what is looked at but not yet in the state goes into it
 * @param {(then: () => void, ms: number) => void} parts.later
 */
export function createKeeping({ loop, starts, address, autosave, behind, settle, later }) {
  const { t } = loop;
  let kept = loop.state();
  let waiting = false;
  /** Whether it has been said that the state is kept nowhere. */
  let warned = false;
  /** What the address held when it was last read or written here. If it holds something else, that is yet to be opened. */
  let seen = address.read();

  /** @param {string} hash */
  function write(hash) {
    address.write(hash);
    seen = address.read();
  }

  /** The link of the state that is on the screen. */
  async function link() {
    settle();
    const state = loop.state();
    return stateToLink(state, await starts.opening(state.document.example));
  }

  async function keep() {
    waiting = false;
    settle();
    const state = loop.state();
    if (state === kept) return;
    kept = state;
    const saved = autosave.save(state);
    const before = address.read();
    behind(before).save(state);
    const written = await link();
    const nowhere = !saved && !('hash' in written);
    if (nowhere && !warned) loop.say('problem', t('problem-not-kept'));
    warned = nowhere;
    // Back, or a link pasted into the address, comes first: what stands there is about to be opened.
    if (address.read() !== seen) return;
    // A state that is too long for an address must not leave an older one standing there.
    write('hash' in written ? written.hash : '');
    // A page that is going away writes in vain, and never comes to this.
    later(() => {
      if (address.read() !== before) behind(before).forget();
    }, 0);
  }

  loop.follow(() => {
    if (waiting) return;
    waiting = true;
    later(() => void keep(), PAUSE_MS);
  });

  /** Open what the address holds. */
  async function openAddress() {
    const hash = address.read();
    seen = hash;
    if (hash === '') return;
    if (isClassLink(hash)) return openClass(hash, 'did-class', 'said-class');
    // What a link leaves out, as predictions are, is not lost by opening the link of what is there.
    const now = await link();
    if ('hash' in now && now.hash === hash) return;
    const read = await linkToState(hash, starts.known, starts.opening);
    if ('problem' in read) return loop.say('problem', t(read.problem.id, read.problem.args));
    if (stateToJson(read.state) === stateToJson(loop.state())) return;
    if (await loop.restore(read.state, { id: 'did-link' })) loop.say('said', t('said-link'));
    kept = loop.state();
  }

  /**
   * Open a class link, or begin again what it opened. What of it cannot be is said, the rest is done.
   * @param {string} hash @param {string} label  the change's name for undo @param {string} done  what is said then
   */
  async function openClass(hash, label, done) {
    const read = await classLinkToState(hash, starts.known, starts.opening);
    if ('problem' in read) return loop.say('problem', t(read.problem.id, read.problem.args));
    if (!await loop.restore(read.state, { id: label })) return;
    kept = loop.state();
    const problems = read.refused.map(({ id, args }) => t(id, args)).join('; ');
    if (problems === '') loop.say('said', t(done));
    else loop.say('problem', t('class-partly', { problems }));
  }

  /** Open what a storage holds. Resolves to whether it holds a state. @param {Autosave} storage */
  async function openKept(storage) {
    const read = storage.restore(starts.known);
    if (read === null) return false;
    if ('problem' in read) {
      loop.say('problem', t('problem-kept', { problem: t(read.problem.id, read.problem.args) }));
      return false;
    }
    if (stateToJson(read.state) === stateToJson(loop.state())) return true;
    if (await loop.restore(read.state, { id: 'did-restore' })) loop.say('restored', t('said-restored'));
    return true;
  }

  return {
    link,
    write,
    keep,
    openAddress,
    openClass,

    /**
     * What was there before, then what the address holds: undo leads from this back to that. Of an address that is
     * behind, what it is behind of; it then follows.
     */
    async start() {
      if (await openKept(behind(seen))) return;
      await openKept(autosave);
      kept = loop.state();
      await openAddress();
    },

    /** As if the page had never been open; undo takes it back. */
    async afresh() {
      if (!await loop.restore(await starts.first(), { id: 'did-afresh' })) return;
      autosave.forget();
      write('');
      behind(seen).forget();
      kept = loop.state();
      loop.say('said', t('said-afresh'));
    },
  };
}

/** The address of this page. @returns {Address} */
export function addressOfPage() {
  return {
    read: () => (location.hash === '#' ? '' : location.hash),
    write(hash) {
      try {
        history.replaceState(history.state, '', hash || location.href.split('#')[0]);
      } catch {
        // A sandboxed frame, or a browser that was asked too often: the address stays, the Share button still works.
      }
    },
  };
}
