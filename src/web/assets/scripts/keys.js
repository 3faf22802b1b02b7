// Keyboard shortcuts: the keys of an element with data-key ("c", or "g i" for a sequence) click it, or focus it if it is a field.
const ROW_SELECTOR = 'ul.rows > li';
const SECOND_KEY_MS = 1500;

let first = '';
let firstAt = 0;

/** Starts listening to keys. */
export function startKeys() {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      if (event.key === 'Enter') submitOf(event.target)?.requestSubmit();
      return;
    }
    if (isTyping(event.target)) return;
    if (move(event.key)) return event.preventDefault();
    const keys = first && event.timeStamp - firstAt < SECOND_KEY_MS ? `${first} ${event.key}` : event.key;
    const target = document.querySelector(`[data-key="${CSS.escape(keys)}"]`) ?? document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    first = event.key;
    firstAt = event.timeStamp;
    if (!target) return;
    event.preventDefault();
    first = '';
    if (target.matches('input, textarea')) target.focus();
    else target.click();
  });
}

function isTyping(target) {
  return target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select');
}

function submitOf(target) {
  return target.matches('textarea, input') ? target.form : undefined;
}

/** j and k move between the rows of a list, Enter or o opens one. */
function move(key) {
  if (key !== 'j' && key !== 'k' && key !== 'o') return false;
  const rows = [...document.querySelectorAll(ROW_SELECTOR)];
  const at = rows.findIndex((row) => row.getAttribute('aria-selected') === 'true');
  if (key === 'o') rows[at]?.querySelector('a')?.click();
  const next = rows[key === 'j' ? at + 1 : key === 'k' ? Math.max(0, at - 1) : at];
  if (!next) return false;
  rows[at]?.removeAttribute('aria-selected');
  next.setAttribute('aria-selected', 'true');
  next.querySelector('a')?.focus();
  return true;
}
