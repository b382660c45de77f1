/**
 * Runs before all else: lets the browser show what stands in the page as it came, and only then puts in the page's styles
 * and its script, which a slow machine takes a while to read. A machine that came here quickly has the page sooner than
 * anyone misses a sign of life, and does not wait. It must stay tiny, and imports nothing. Next to read: main.js.
 */

const AT_ONCE_MS = 75; // since the page was asked for
const LONGEST_WAIT_MS = 200; // a frame that is out of sight is not drawn, and starts all the same

let started = false;

/** Put in what stands in the page as text; the policy names it by its hash. @param {string} tag @param {string} id */
function putIn(tag, id) {
  const element = document.createElement(tag);
  element.textContent = /** @type {HTMLElement} */ (document.getElementById(id)).textContent;
  document.head.append(element);
}

function start() {
  if (started) return;
  started = true;
  putIn('style', 'styles');
  putIn('script', 'code'); // runs at once
}

if (performance.now() < AT_ONCE_MS) {
  start();
} else {
  setTimeout(start, LONGEST_WAIT_MS);
  // What is asked for in a frame's callback is done after that frame was drawn.
  requestAnimationFrame(() => setTimeout(start));
}
