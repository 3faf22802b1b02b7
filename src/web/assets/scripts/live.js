// Live updates: the server says which subject has changed, and the page asks for what it shows of that. A page that nobody sees holds no
// connection; where there is none, the page asks now and then.
const POLL_MS = 60_000;
const bell = document.querySelector('a[data-events]');
const main = document.querySelector('main');
let source;
let poll;
let waiting;

/** Starts following the subjects of the page. */
export function startLive() {
  document.addEventListener('visibilitychange', () => (document.hidden ? stop() : start(true)));
  addEventListener('pagehide', stop);
  if (!document.hidden) start(false);
}

function start(isBack) {
  stop();
  showUnread();
  if (isBack) changed('p');
  const subjects = main.dataset.live ?? '';
  source = new EventSource(`${bell.dataset.events}?${new URLSearchParams({ subjects })}`);
  let isFirst = true;
  source.addEventListener('open', () => {
    // Something may have changed while there was no connection.
    if (!isFirst) changed('*');
    isFirst = false;
  });
  source.addEventListener('changed', (event) => changed(event.data));
  source.addEventListener('error', () => {
    if (source?.readyState === EventSource.CLOSED) poll ??= setInterval(() => changed('*'), POLL_MS);
  });
}

function stop() {
  source?.close();
  source = undefined;
  clearInterval(poll);
  poll = undefined;
}

function changed(subject) {
  if (subject === '*' || subject.startsWith('u')) showUnread();
  if (subject.startsWith('u')) return;
  // A script of the page may load its updates itself.
  const isForPage = document.dispatchEvent(new CustomEvent('live', { detail: subject, cancelable: true }));
  if (isForPage) refreshSoon();
}

async function showUnread() {
  const response = await fetch(bell.dataset.unread).catch(() => undefined);
  if (!response?.ok || response.redirected) return;
  const { new: count } = await response.json();
  const badge = bell.querySelector('.unread');
  badge.hidden = count === 0;
  badge.textContent = count > 99 ? '99+' : count;
}

/** Limits requests after several changes in a row, and from several readers of a page. */
function refreshSoon() {
  if (main.dataset.live) waiting ??= setTimeout(refresh, 300 + Math.random() * 1200);
}

async function refresh() {
  waiting = undefined;
  const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined);
  if (!response?.ok || response.redirected) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const part of document.querySelectorAll('[data-live-part]')) {
    const fresh = page.getElementById(part.id);
    // The page has become another one, such as the repository after its migration.
    if (!fresh && part.dataset.livePart === 'page') return location.reload();
    // Elements in use and forms with input stay.
    const isUsed = part.contains(document.activeElement) || part.dataset.changed;
    if (!fresh || isUsed || plain(fresh) === plain(part)) continue;
    for (const one of fresh.querySelectorAll('.with-script')) one.hidden = false;
    part.replaceWith(document.adoptNode(fresh));
  }
  hintAt(page);
}

/** The token of forms differs on each page. */
function plain(part) {
  return part.outerHTML.replaceAll(/name="_token" value="[^"]*"/g, '');
}

function hintAt(page) {
  const comments = (place) => Number(place.querySelector('[data-comments]')?.dataset.comments ?? 0);
  const count = comments(page) - comments(document);
  let hint = document.querySelector('.live-hint');
  if (count <= 0) return hint?.remove();
  if (!hint) {
    hint = Object.assign(document.createElement('div'), { className: 'live-hint' });
    hint.setAttribute('role', 'status');
    const button = Object.assign(document.createElement('button'), { type: 'button' });
    // A draft in the comment field is retained.
    button.addEventListener('click', () => location.reload());
    hint.append(button);
    main.append(hint);
  }
  hint.firstChild.textContent = count === 1 ? bell.dataset.one : bell.dataset.many.replace('{n}', count);
}
