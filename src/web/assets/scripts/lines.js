// Lines of a source: a click on a number selects the line, with Shift the range from the first one; the URL follows (#L10-L20).
const source = document.querySelector('.source');
let first = 0;

// The rest of a long source arrives as text: all lines at once would block the page. They are created a part at a time.
const LINE_HEIGHT = 20;
const later = new Set();
for (const text of source?.querySelectorAll('noscript') ?? []) {
  const [from, to] = [Number(text.dataset.from), Number(text.dataset.to)];
  const place = document.createElement('div');
  place.style.blockSize = `${(to - from + 1) * LINE_HEIGHT}px`;
  text.replaceWith(place);
  later.add({ from, to, place, text });
}

function makeLines(part) {
  if (!later.delete(part)) return;
  const template = document.createElement('template');
  template.innerHTML = part.text.textContent;
  part.place.replaceWith(template.content);
  const marked = range();
  if (marked) markLines(Math.max(marked.from, part.from), Math.min(marked.to, part.to));
}

function makeAll() {
  for (const part of later) makeLines(part);
}

/** The browser only searches lines that exist; the keys that open (and continue) its search create them first. */
function makeBeforeFind({ key, ctrlKey, metaKey }) {
  if (key === 'F3' || ((ctrlKey || metaKey) && /^[fg]$/i.test(key))) makeAll();
}

/** In the idle time of the page, from the beginning. */
function makeNext() {
  const [part] = later;
  if (!part) return;
  makeLines(part);
  whenIdle(makeNext);
}

function whenIdle(run) {
  if (window.requestIdleCallback) requestIdleCallback(run, { timeout: 200 });
  else setTimeout(run, 20);
}

function range() {
  const [, from, to] = /^#L(\d+)(?:-L(\d+))?$/.exec(location.hash) ?? [];
  return from && { from: Math.min(from, to ?? from), to: Math.max(from, to ?? from) };
}

function mark() {
  for (const line of source.querySelectorAll('.marked')) line.classList.remove('marked');
  const marked = range();
  if (!marked) return;
  first = marked.from;
  markLines(marked.from, marked.to);
}

function markLines(from, to) {
  for (let number = from; number <= to; number++) document.getElementById(`L${number}`)?.classList.add('marked');
}

function follow() {
  mark();
  const marked = range();
  if (!marked) return;
  for (const part of later) if (part.from <= marked.from && part.to >= marked.from) makeLines(part);
  document.getElementById(`L${marked.from}`)?.scrollIntoView({ block: 'center' });
}

source?.addEventListener('click', (event) => {
  // The style sheet draws the number, so a click on it is a click on the line.
  const number = Number(event.target.dataset.n);
  if (!number) return;
  const hash = event.shiftKey && first ? `#L${Math.min(first, number)}-L${Math.max(first, number)}` : `#L${number}`;
  history.replaceState(null, '', hash);
  mark();
});

document.querySelector('.line-form')?.addEventListener('submit', (event) => {
  event.preventDefault();
  const field = event.target.elements.line;
  location.hash = field.value.replace(/(\d+)/g, 'L$1');
  field.blur();
  placeMenu();
  // Tab continues from the lines.
  menu?.querySelector('summary').focus({ preventScroll: true });
});

// The permalink leads to the same lines.
const permalink = document.querySelector('a[data-key="y"]');
permalink?.addEventListener('click', () => {
  permalink.hash = location.hash;
});

if (source) {
  // The style sheet highlights the line of the fragment, but does not notice when a script replaces the URL.
  document.documentElement.dataset.picked = '';
  // Several lines are also in the query, for visitors without scripts.
  const address = new URL(location);
  const [, from, to] = /^(\d+)-(\d+)$/.exec(address.searchParams.get('lines') ?? '') ?? [];
  if (from) {
    address.searchParams.delete('lines');
    address.hash = address.hash === `#L${from}` ? `#L${from}-L${to}` : address.hash;
    history.replaceState(null, '', address);
  }
  addEventListener('hashchange', follow);
  addEventListener('beforeprint', makeAll);
  addEventListener('keydown', makeBeforeFind, { capture: true });
  follow();
  whenIdle(makeNext);
}

// The actions of the selected lines, next to the first one.
const menu = document.querySelector('.line-menu');

function placeMenu() {
  const marked = range();
  const line = marked && document.getElementById(`L${marked.from}`);
  if (!menu || !line) return;
  const hash = marked.to > marked.from ? `#L${marked.from}-L${marked.to}` : `#L${marked.from}`;
  const url = new URL(menu.dataset.permalink, location).href + hash;
  menu.querySelector('[data-copy]').dataset.copy = url;
  menu.querySelector('[data-lines="blame"]').hash = hash;
  const issue = menu.querySelector('[data-lines="issue"]');
  issue.search = new URLSearchParams({ body: url });
  menu.hidden = false;
  // Moving an element removes its focus.
  if (menu.parentElement !== line) line.append(menu);
}

if (menu) {
  addEventListener('hashchange', placeMenu);
  source.addEventListener('click', () => queueMicrotask(placeMenu));
  placeMenu();
}
