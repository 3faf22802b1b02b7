// Pull requests: viewed files fold, dragging over lines comments on them.
for (const part of document.querySelectorAll('.merge-box .with-script, .conflict .with-script')) part.hidden = false;

// Live updates do not replace a form that is being filled in.
addEventListener('input', ({ target }) => {
  const box = target.closest('#merge-box');
  if (box) box.dataset.changed = '1';
});

document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (!form.matches('form.viewed')) return;
  event.preventDefault();
  const button = form.querySelector('button');
  const isViewed = form.elements.viewed.value === 'on';
  const response = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)), redirect: 'manual' });
  if (response.type !== 'opaqueredirect') return location.reload();
  button.setAttribute('aria-pressed', String(isViewed));
  form.elements.viewed.value = isViewed ? '' : 'on';
  form.closest('.diff-file').classList.toggle('is-viewed', isViewed);
  count(isViewed ? 1 : -1);
});

function count(by) {
  const shown = document.querySelector('.viewed-count');
  if (!shown) return;
  const viewed = Number(shown.dataset.viewed) + by;
  shown.dataset.viewed = viewed;
  shown.querySelector('progress').value = viewed;
  const words = shown.querySelector('[role=status]');
  words.textContent = words.textContent.replace(/^\d+/, String(viewed));
}

// The key V marks the file at the top of the window.
document.addEventListener('keydown', (event) => {
  if (event.key !== 'v' || event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, textarea, select')) return;
  const file = [...document.querySelectorAll('.diff-file')].find((one) => one.getBoundingClientRect().bottom > 140);
  const button = file?.querySelector('.viewed-button');
  if (!button) return;
  button.click();
  file.nextElementSibling?.scrollIntoView({ block: 'start' });
});

const placeOf = (row) => /^(old|new):(\d+):(.*)$/s.exec(row?.querySelector('.line-add')?.dataset.at ?? '');
let start;

document.addEventListener('pointerdown', (event) => {
  const link = event.target.closest('.line-add');
  if (!link || event.button !== 0) return;
  start = link.closest('tr');
  event.preventDefault();
});

document.addEventListener('pointermove', (event) => {
  if (!start) return;
  const chosen = rowsTo(event.target);
  for (const row of document.querySelectorAll('tr.chosen')) if (!chosen.includes(row)) row.classList.remove('chosen');
  for (const row of chosen) row.classList.add('chosen');
});

document.addEventListener('pointerup', (event) => {
  if (!start) return;
  const rows = rowsTo(event.target);
  start = undefined;
  for (const row of document.querySelectorAll('tr.chosen')) row.classList.remove('chosen');
  if (rows.length > 1) open(rows);
});

/** The rows from the start of the drag to this one, of the same file and side. */
function rowsTo(target) {
  const end = target.closest?.('table.diff tr');
  const [, side, , path] = placeOf(start) ?? [];
  if (!end || end.closest('table') !== start.closest('table')) return [start];
  const all = [...start.closest('table').querySelectorAll('tr')];
  const [from, to] = [all.indexOf(start), all.indexOf(end)].sort((a, b) => a - b);
  return all.slice(from, to + 1).filter((row) => placeOf(row)?.[1] === side && placeOf(row)?.[3] === path);
}

/** Opens the form of a comment on these rows. */
function open(rows) {
  const [first, last] = [placeOf(rows[0]), placeOf(rows.at(-1))];
  const url = new URL(rows.at(-1).querySelector('.line-add').href);
  url.searchParams.set('at', `${first[1]}:${first[2]}-${last[2]}:${first[3]}`);
  show(url.href, rows.at(-1));
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('.line-add');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(link.href, link.closest('tr'));
});

/** Inserts the comment form of these lines below their last row, so that nothing else moves. */
async function show(href, row) {
  const url = new URL(href);
  url.searchParams.set('file', placeOf(row)[3]);
  const response = await fetch(url).catch(() => undefined);
  const page = response?.ok && new DOMParser().parseFromString(await response.text(), 'text/html');
  const form = page && page.getElementById('line-form');
  if (!form) return location.assign(href);
  document.getElementById('line-form')?.closest('tr').remove();
  const extras = document.createElement('tr');
  extras.className = 'extras';
  const cell = extras.insertCell();
  cell.colSpan = 6;
  cell.append(document.adoptNode(form));
  row.after(extras);
  cell.querySelector('textarea').focus();
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-suggestion]');
  const cancel = event.target.closest('#line-form a.button');
  if (cancel) {
    event.preventDefault();
    cancel.closest('tr').remove();
  }
  if (!button) return;
  event.preventDefault();
  const area = button.form.elements.body;
  const before = area.value && !area.value.endsWith('\n') ? '\n' : '';
  area.setRangeText(before + button.dataset.suggestion, area.value.length, area.value.length, 'end');
  area.focus();
});

const SIDES = { head: '$1', base: '$2', both: '$1$2' };

// Conflicts: all of a file are resolved to one side.
document.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-conflict]');
  if (!button) return;
  const area = button.closest('.conflict').querySelector('textarea');
  area.value = area.value.replaceAll(/^<{7}.*\n([\s\S]*?)^={7}\n([\s\S]*?)^>{7}.*\n?/gm, SIDES[button.dataset.conflict]);
  area.focus();
});
