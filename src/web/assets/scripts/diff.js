// Diffs: loads more lines and folded files in place; j and k, or n and p, move between changes.
document.addEventListener('click', async (event) => {
  const link = event.target.closest('a[data-replace]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const id = link.dataset.replace;
  link.setAttribute('aria-busy', 'true');
  const response = await fetch(link.href).catch(() => undefined);
  const page = response?.ok && new DOMParser().parseFromString(await response.text(), 'text/html');
  const section = page && page.getElementById(id);
  // Without it the link is followed.
  if (!section) return location.assign(link.href);
  document.getElementById(id).replaceWith(document.adoptNode(section));
  section.querySelector('.diff-head a')?.focus();
});

const STEPS = { n: 1, j: 1, p: -1, k: -1 };

document.addEventListener('keydown', (event) => {
  const step = STEPS[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, textarea, select, [contenteditable]')) return;
  if ((event.key === 'j' || event.key === 'k') && document.querySelector('ul.rows')) return;
  const tops = [...document.querySelectorAll('tr.hunk')].map((row) => row.getBoundingClientRect().top + scrollY);
  const here = scrollY + 140;
  const to = step > 0 ? tops.find((top) => top > here + 4) : tops.findLast((top) => top < here - 4);
  if (to !== undefined) scrollTo({ top: to - 140 });
});

// Lines: a click on a number selects the line, with Shift the range from the first one of that side; the URL follows (#diff-…R3-R9).
let first;

function marked() {
  const [, anchor, side, from, to = from] = /^#(diff-[0-9a-f]{40})([LR])(\d+)(?:-[LR](\d+))?$/.exec(location.hash) ?? [];
  if (!anchor) return [];
  const [start, end] = [Math.min(from, to), Math.max(from, to)];
  // Numbers outside of the hunks are missing, so this iterates over the cells.
  const cells = document.getElementById(anchor)?.querySelectorAll('td.n[id]') ?? [];
  return [...cells].filter((cell) => cell.id.startsWith(`${anchor}${side}`) && Number(cell.dataset.n) >= start && Number(cell.dataset.n) <= end);
}

function mark() {
  for (const cell of document.querySelectorAll('td.n.marked')) cell.classList.remove('marked');
  const cells = marked();
  for (const cell of cells) cell.classList.add('marked');
  return cells[0];
}

document.addEventListener('click', ({ target, shiftKey }) => {
  if (!target.matches('table.diff td.n[data-n]')) return;
  const [, start, side] = /^(.*)([LR])\d+$/.exec(target.id);
  const isRange = shiftKey && first?.startsWith(start + side);
  if (!isRange) first = target.id;
  history.replaceState(null, '', `#${first}${isRange ? `-${side}${target.dataset.n}` : ''}`);
  document.documentElement.dataset.picked = '';
  mark();
});

function markTarget() {
  delete document.documentElement.dataset.picked;
  first = mark()?.id;
  return document.getElementById(first ?? location.hash.slice(1));
}

addEventListener('hashchange', () => markTarget()?.scrollIntoView({ block: 'center' }));
// Several lines are also in the query, for visitors without scripts.
const address = new URL(location);
const requested = /^(diff-[0-9a-f]{40}([LR])\d+)-(\d+)$/.exec(address.searchParams.get('lines') ?? '');
if (requested) {
  address.searchParams.delete('lines');
  if (address.hash === `#${requested[1]}`) address.hash += `-${requested[2]}${requested[3]}`;
  history.replaceState(null, '', address);
}
// A link to a line of a file that loads later than the beginning of the page.
if (location.hash) addEventListener('load', () => markTarget()?.scrollIntoView({ block: 'center' }));

// Two versions of an image: how much of the new one is visible.
document.addEventListener('input', (event) => {
  if (event.target.matches('.image-over input')) event.target.closest('.image-over').style.setProperty('--part', `${event.target.value}%`);
});
