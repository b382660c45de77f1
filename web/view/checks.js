/**
 * The strip of checks: each with the difference that was found and what it says, and the known answers, "N of N". Pure.
 * Next to read: ../app/checks.js, which runs them; ../engine/checks/state.js.
 */

import { html, nothing } from 'lit-html';
import { apart, brief } from '../model/derive.js';
import { listed } from './verdict.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./frame.js').Finding} Finding
 * @typedef {import('./frame.js').Checks} Checks
 */

const CHECKS = /** @type {const} */ (['rowSums', 'meanWeight', 'causalLeak', 'routes', 'splitHeads']);

/** Whose known answers there are. */
const SOURCES = /** @type {const} */ (['book', 'published', 'torch']);

/** @param {Frame} frame */
export function checks(frame) {
  const { ui, t } = frame;
  if (!ui.checks) return nothing;
  const found = ui.checks;
  return html`<p class="note">${t('checks-about')}</p>
    <table class="check-list">
      <thead><tr><th scope="col">${t('check')}</th><th scope="col">${t('check-figure')}</th><th scope="col">${t('check-result')}</th></tr></thead>
      <tbody>
        ${CHECKS.map((name) => line(frame, name, found.state[name]))}
        ${answers(frame, found.answers)}
      </tbody>
    </table>`;
}

/** @param {Frame} frame @param {typeof CHECKS[number]} name @param {Finding | undefined} finding */
function line(frame, name, finding) {
  const { derived, t } = frame;
  const args = { tokens: derived.nTokens, masked: derived.masked ? 'yes' : 'no', expected: brief(finding?.expected ?? 0, 4) };
  return html`<tr>
    <th scope="row">${t(`check-${name}`, args)}</th>
    <td class="number">${finding ? figure(finding) : ''}</td>
    <td>${finding ? html`${badge(frame, finding.state)} ${detail(frame, name, finding)}` : t('check-running')}</td>
  </tr>`;
}

/** The size of the largest difference; nothing where the check does not apply. @param {Finding} finding */
function figure({ state, figure: size }) {
  return state === 'off' ? '' : apart(size).replace(/^\+/, '');
}

/** @param {Frame} frame @param {Finding['state']} state */
function badge({ t }, state) {
  return html`<span class="badge ${state === 'passed' ? 'good' : state === 'failed' ? 'bad' : 'off'}">${t(`check-${state}`)}</span>`;
}

/** What a check that fails, or does not apply, points at. @param {Frame} frame @param {typeof CHECKS[number]} name @param {Finding} finding */
function detail({ t }, name, { state, rows, moved = [], heads = [] }) {
  if (name === 'splitHeads' && state === 'off') return t('check-splitHeads-off');
  if (name === 'splitHeads' && state === 'failed') return t('check-splitHeads-where', { heads: listed(heads), count: heads.length });
  if (name === 'causalLeak' && moved.length > 0) {
    const last = moved[moved.length - 1];
    const args = { token: last.token + 1, rows: listed(last.rows), count: last.rows.length };
    return t(state === 'off' ? 'check-causalLeak-open' : 'check-causalLeak-where', args);
  }
  if (state === 'off') return t('check-causalLeak-off');
  return state === 'failed' && rows.length > 0 ? t('check-rows', { rows: listed(rows), count: rows.length }) : nothing;
}

/**
 * How many come out, and whose do not. A number that should have been masked, or is none, leaves no largest difference.
 * @param {Frame} frame @param {Checks['answers']} answers
 */
function answers(frame, { count, done, failed, apart: largest }) {
  const { t } = frame;
  const finished = done === count;
  return html`<tr>
    <th scope="row">${t('check-answers')}</th>
    <td class="number">${done > 0 && Number.isFinite(largest) ? apart(largest).replace(/^\+/, '') : ''}</td>
    <td>${finished ? badge(frame, failed.length === 0 ? 'passed' : 'failed') : nothing}
      ${t(finished ? 'check-answers-count' : 'check-answers-running', { passed: done - failed.length, count, done })}
      ${failed.length === 0 ? nothing : html`<ul>${SOURCES.map((source) => {
        const number = failed.filter((one) => one.source === source).length;
        return number === 0 ? nothing : html`<li>${t(`check-answers-${source}`, { number })}</li>`;
      })}</ul>`}</td>
  </tr>`;
}
