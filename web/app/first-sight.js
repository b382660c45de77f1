/**
 * Runs before all else: lets the browser show what stands in the page as it came, and only then starts the page's
 * script, which a slow machine takes a while to read. It must stay tiny, and imports nothing. Next to read: main.js.
 */

const LONGEST_WAIT_MS = 200; // a frame that is out of sight is not drawn, and starts all the same

let started = false;

/** Run the script that stands in the page as text; the policy names it by its hash. */
function start() {
  if (started) return;
  started = true;
  const script = document.createElement('script');
  script.textContent = /** @type {HTMLElement} */ (document.getElementById('code')).textContent;
  document.body.append(script);
}

setTimeout(start, LONGEST_WAIT_MS);
// What is asked for in a frame's callback is done after that frame was drawn.
requestAnimationFrame(() => setTimeout(start));
