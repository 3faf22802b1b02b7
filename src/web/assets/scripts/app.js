// Functions of every page beyond plain HTML: closing menus, copy buttons, keys. No page depends on them.
import { startKeys } from './keys.js';

document.addEventListener('click', (event) => {
  for (const menu of document.querySelectorAll('details.menu[open]')) if (!menu.contains(event.target)) menu.open = false;
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  const menu = document.querySelector('details.menu[open]');
  if (!menu) return;
  menu.open = false;
  menu.querySelector('summary').focus();
});

document.addEventListener('click', async (event) => {
  const button = event.target.closest('button[data-copy]');
  if (!button) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  const label = button.getAttribute('aria-label');
  button.setAttribute('aria-label', button.dataset.copied);
  button.classList.add('copied');
  setTimeout(() => {
    button.setAttribute('aria-label', label);
    button.classList.remove('copied');
  }, 1500);
});

// If the tabs are wider than the window, the current one is scrolled into view.
for (const tab of document.querySelectorAll(':is(.tabs, .side-menu) > [aria-current]')) {
  const { parentElement: tabs, offsetLeft, offsetWidth } = tab;
  tabs.scrollLeft = offsetLeft - tabs.offsetLeft + offsetWidth - tabs.clientWidth;
}

// A field that is sent as soon as it changes needs no button.
for (const field of document.querySelectorAll('select[data-submit]'))
  for (const button of field.form.querySelectorAll('.without-script')) button.hidden = true;
document.addEventListener('change', (event) => {
  if (event.target.matches('select[data-submit]')) event.target.form.requestSubmit();
});

// The names to choose from are loaded when a field for one gets the focus.
async function loadNames(field) {
  const urls = field?.dataset?.names;
  if (!urls) return;
  delete field.dataset.names;
  for (const url of urls.split(' ')) {
    const response = await fetch(url);
    const { results } = response.ok ? await response.json() : { results: [] };
    field.list.append(...results.map((name) => new Option('', name)));
  }
}
document.addEventListener('focusin', ({ target }) => loadNames(target));
loadNames(document.activeElement);

// One check box selects all rows of a list.
const boxesOf = (form) => [...document.querySelectorAll(`input[type="checkbox"][form="${form}"]`)];
for (const all of document.querySelectorAll('input[data-check-all]')) all.hidden = false;
document.addEventListener('change', ({ target }) => {
  const form = target.dataset.checkAll;
  if (form) for (const box of boxesOf(form)) box.checked = target.checked;
  const all = !form && target.form && document.querySelector(`input[data-check-all="${target.form.id}"]`);
  if (!all) return;
  const checked = boxesOf(target.form.id).filter((box) => box.checked).length;
  all.checked = checked === boxesOf(target.form.id).length;
  all.indeterminate = checked > 0 && !all.checked;
});

// The palette and the list of keys are loaded when first opened. The field of the palette shows at once, so that no typed key is lost.
const palette = document.querySelector('a[data-palette]');
let dialog;
function openPalette() {
  dialog ??= buildPalette();
  if (dialog.open) return;
  dialog.showModal();
  const input = dialog.querySelector('input');
  input.select();
  input.dispatchEvent(new Event('input'));
}

function buildPalette() {
  const made = Object.assign(document.createElement('dialog'), { className: 'palette', ariaLabel: palette.title });
  const input = Object.assign(document.createElement('input'), { role: 'combobox', ariaLabel: palette.title, ariaExpanded: 'false', autocomplete: 'off', spellcheck: false, maxLength: 100 });
  input.placeholder = palette.dataset.placeholder;
  made.append(input);
  document.body.append(made);
  import('./palette.js').then(({ fillPalette }) => fillPalette(made, palette), () => location.assign(palette.href));
  return made;
}
palette?.addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openPalette();
});
document.addEventListener('keydown', (event) => {
  if (!palette || event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  // In a text it starts a link.
  if (event.defaultPrevented || event.target.matches('.composer textarea')) return;
  event.preventDefault();
  openPalette();
});
const shortcuts = document.querySelector('a[data-key="?"]');
shortcuts?.addEventListener('click', async (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  (await import('./shortcuts.js')).showShortcuts(shortcuts);
});

if (document.querySelector('a[data-events]')) import('./live.js').then(({ startLive }) => startLive());

startKeys();
