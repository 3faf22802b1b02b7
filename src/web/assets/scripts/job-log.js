// The logs of a job, line by line. When live.js says that there are more lines, this fetches those after the last one of the page. A log
// is scrolled to its end as long as that end was visible before.
const PAGE = 500;
/** The same as on the server, which also sends blocks and parts (actions/log-lines.ts). */
const BLOCK = 100;
const BLOCKS = 5;
const GAP_MS = 250;
const stepsOf = () => document.querySelector('.steps[data-lines]');
const template = document.createElement('template');
let timer;
let isBusy = false;
let isOutdated = false;
/** Whether the page continues with the next step; it does unless somebody requested a finished step. */
let follows = false;

document.addEventListener('live', (event) => {
  if (!stepsOf()) return;
  event.preventDefault();
  updateSoon();
});

function updateSoon() {
  if (isBusy) isOutdated = true;
  else timer ??= setTimeout(update, GAP_MS * (1 + Math.random()));
}

async function update() {
  timer = undefined;
  isBusy = true;
  isOutdated = false;
  try {
    while (await oneUpdate());
  } finally {
    isBusy = false;
  }
  if (isOutdated) updateSoon();
}

/** @returns whether there is more to request at once */
async function oneUpdate() {
  const log = growingLog() ?? nextLog();
  const received = await fetchLines(log && { step: log.dataset.step, from: log.dataset.next });
  if (!received) return false;
  if (!log) return nextLog() !== undefined;
  append(log, received);
  // Lines that a runner has counted may arrive later.
  if (received.rows.length > 0 && received.next <= received.total) return true;
  if (received.isDone) log.dataset.over = '';
  return received.isDone && follows && nextLog() !== undefined;
}

/** The log that may get more lines: of an unfinished step, or of one whose last lines have not arrived. */
function growingLog() {
  return [...stepsOf().querySelectorAll('.log[data-next]:not([data-over])')].find(
    (log) => !log.querySelector(':scope > .log-later') && log.closest('li').dataset.status === 'running',
  ) ?? stepsOf().querySelector('.log[data-live]:not([data-over])');
}

/** Opens the log of the running step. */
function nextLog() {
  const running = follows && stepsOf().querySelector('li[data-status="running"]');
  if (!running || running.querySelector('.log')) return undefined;
  for (const done of stepsOf().querySelectorAll('li[data-status="success"]:has(.log[data-live]) > details')) done.open = false;
  const log = openStep(running);
  running.scrollIntoView({ block: 'nearest' });
  return log;
}

function openStep(item) {
  const details = Object.assign(document.createElement('details'), { open: true });
  const summary = document.createElement('summary');
  summary.replaceChildren(...item.querySelector('.step-link').childNodes);
  const log = Object.assign(document.createElement('div'), { className: 'log', tabIndex: 0 });
  Object.assign(log.dataset, { step: item.id.slice('step-'.length), first: 1, next: 1, total: 0, live: '' });
  details.append(summary, log);
  item.replaceChildren(details);
  return log;
}

async function fetchLines(requested) {
  const steps = stepsOf();
  const query = new URLSearchParams({ ...requested, seen: steps.dataset.seen });
  const response = await fetch(`${steps.dataset.lines}?${query}`).catch(() => undefined);
  if (!response?.ok || response.redirected) return undefined;
  const received = await response.json();
  // The job was restarted.
  if (String(received.task) !== steps.dataset.task) return location.reload();
  if (received.seen) showState(steps, received);
  return received;
}

function showState(steps, { seen, facts, steps: states }) {
  steps.dataset.seen = seen;
  const place = document.querySelector('[data-facts]');
  place.innerHTML = facts;
  hideReload();
  for (const { number, status, head } of states) {
    const item = document.getElementById(`step-${number}`);
    if (!item) continue;
    item.dataset.status = status;
    item.querySelector('summary, .step-link').innerHTML = head;
  }
}

function hideReload() {
  for (const part of document.querySelectorAll('[data-facts] .without-script')) part.hidden = true;
}

function append(log, { rows, next, total }) {
  const isAtEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 40;
  log.dataset.live = '';
  fill(log, rows);
  Object.assign(log.dataset, { next, total });
  if (isAtEnd && rows.length > 0) showEnd(log);
}

/** Blocks get their true height when they are first in view, so the end moves at first. */
function showEnd(log, frames = 3) {
  log.scrollTop = log.scrollHeight;
  if (frames > 0) requestAnimationFrame(() => showEnd(log, frames - 1));
}

/** Adds rows at the end, into the group that goes on. All are parsed at once, and only the last block of a place is looked at: logs are long. */
function fill(log, rows) {
  template.innerHTML = rows.join('');
  const elements = [...template.content.children].values();
  const end = lastBlock(log)?.lastElementChild;
  let group = end?.matches('.log-group[data-unfinished]') ? end : undefined;
  let block = lastBlock(group ? group.lastElementChild : log);
  for (const row of rows) {
    // An empty one ends a group.
    const element = row === '' ? undefined : elements.next().value;
    if (group && (!element || element.matches('.log-group'))) {
      delete group.dataset.unfinished;
      group.open = false;
      group = undefined;
      block = lastBlock(log);
    }
    if (!element) continue;
    if (!block || block.childElementCount >= BLOCK) block = newBlock(group ? group.lastElementChild : log);
    block.append(element);
    if (!element.matches('.log-group')) continue;
    group = element;
    block = lastBlock(group.lastElementChild);
  }
}

/** The link to later lines; if it exists, it is the last child, since a search would visit all lines. */
function laterNote(place) {
  return place.lastElementChild?.matches('.log-later') ? place.lastElementChild : null;
}

function lastPart(place) {
  const last = laterNote(place)?.previousElementSibling ?? place.lastElementChild;
  return last?.matches('.log-part') ? last : undefined;
}

function lastBlock(place) {
  return lastPart(place)?.lastElementChild ?? undefined;
}

function newBlock(place) {
  const block = Object.assign(document.createElement('div'), { className: 'log-block' });
  let part = lastPart(place);
  if (!part || part.childElementCount >= BLOCKS) {
    part = Object.assign(document.createElement('div'), { className: 'log-part' });
    place.insertBefore(part, laterNote(place));
  }
  part.append(block);
  return block;
}

/** Replaces a link to the lines before or after by these lines. */
async function more(link) {
  const log = link.closest('.log');
  if (link.dataset.busy) return;
  link.dataset.busy = '1';
  const isEarlier = link.closest('.log-earlier') !== null;
  const first = Number(log.dataset.first);
  const from = isEarlier ? Math.max(1, first - PAGE) : Number(log.dataset.next);
  const received = await fetchLines({ step: log.dataset.step, from, count: isEarlier ? first - from : PAGE });
  delete link.dataset.busy;
  if (!received?.rows) return;
  // The notes are at both ends: a search in the whole log would visit all lines.
  for (const end of [log.firstElementChild, log.lastElementChild]) end?.querySelector('[data-range]')?.remove();
  const note = link.closest('.log-note');
  if (!isEarlier) {
    fill(log, received.rows);
    Object.assign(log.dataset, { next: received.next, total: received.total });
    if (received.next > received.total) note.remove();
    return;
  }
  const height = log.scrollHeight;
  const part = document.createElement('div');
  fill(part, received.rows);
  for (const group of part.querySelectorAll('.log-group')) {
    group.open = false;
    delete group.dataset.unfinished;
  }
  note.after(...part.childNodes);
  log.dataset.first = received.from;
  if (received.from <= 1) note.remove();
  log.scrollTop += log.scrollHeight - height;
}

/** Scrolling up to the first line loads the lines before it. */
function showEarlier(log) {
  const note = log.querySelector(':scope > .log-earlier');
  if (!note) return;
  const watch = (entries) => entries.some(({ isIntersecting }) => isIntersecting) && more(note.querySelector('a'));
  new IntersectionObserver(watch, { root: log }).observe(note);
}

document.addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || !stepsOf()) return;
  const link = event.target.closest('.log-earlier a, .log-later a');
  if (link) {
    event.preventDefault();
    more(link);
  }
});

/** The style sheet draws the number, so a click on it is a click on the line; the URL then names the line. */
document.addEventListener('click', ({ target }) => {
  if (!target.matches('.log-line[data-n]')) return;
  document.querySelector('.log-line.marked')?.classList.remove('marked');
  target.classList.add('marked');
  document.documentElement.dataset.picked = '';
  history.replaceState(null, '', `#${target.id}`);
});

/** A link to a line that is not on the page loads it. */
function showLine() {
  const [, step, line] = /^#jobstep-(\d+)-(\d+)$/.exec(location.hash) ?? [];
  if (!step || document.getElementById(location.hash.slice(1))) return;
  const query = new URLSearchParams({ step, line });
  if (new URLSearchParams(location.search).get('line') !== line) location.replace(`${location.pathname}?${query}${location.hash}`);
}

function begin() {
  hideReload();
  const steps = stepsOf();
  if (!steps) return;
  const log = steps.querySelector('.log[data-next]');
  const item = log?.closest('li');
  follows = !log || item.dataset.status === 'running';
  showLine();
  if (log) showEarlier(log);
  if (!log || /line=/.test(location.search) || location.hash.startsWith('#jobstep')) return;
  showEnd(log);
  if (item.dataset.status === 'failure' && !location.hash) item.scrollIntoView({ block: 'start' });
}

addEventListener('hashchange', () => {
  delete document.documentElement.dataset.picked;
  document.querySelector('.log-line.marked')?.classList.remove('marked');
  showLine();
});
begin();
