// Differences: more lines and folded files come into their place, and j and k, or n and p, go from change to change.
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

// A link to a line of a file that comes later than the page's beginning.
if (location.hash) addEventListener('load', () => document.getElementById(location.hash.slice(1))?.scrollIntoView({ block: 'center' }));

// Two versions of a picture: how much of the new one is seen.
document.addEventListener('input', (event) => {
  if (event.target.matches('.image-over input')) event.target.closest('.image-over').style.setProperty('--part', `${event.target.value}%`);
});
