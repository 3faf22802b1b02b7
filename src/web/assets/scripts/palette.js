// The palette: a field over the page whose list leads to repositories, issues and pages. `app.js` has its field; this is loaded when it is first opened.
const DELAY_MS = 100;

/** Fills the palette with its list. @param link the link that opens it, with the texts and the URL of the list */
export function fillPalette(dialog, link) {
  const { palette: url, results, nothing, found, root } = link.dataset;
  const input = dialog.querySelector('input');
  const list = Object.assign(document.createElement('ul'), { id: 'palette-list', role: 'listbox', ariaLabel: results });
  const status = Object.assign(document.createElement('p'), { className: 'muted', role: 'status' });
  dialog.append(list, status);
  for (const [name, value] of Object.entries({ 'aria-expanded': 'true', 'aria-controls': list.id, 'aria-autocomplete': 'list' })) input.setAttribute(name, value);

  let timer;
  let latest = 0;
  // The text that the list belongs to; Enter waits for the list of the current text.
  let shown;
  let opensFirst = false;
  const select = (option) => {
    for (const other of list.children) other.setAttribute('aria-selected', String(other === option));
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
    option?.scrollIntoView({ block: 'nearest' });
  };
  const open = (option) => {
    if (!option) return;
    dialog.close();
    location.assign(option.dataset.href);
  };
  const update = async () => {
    latest += 1;
    const mine = latest;
    const typed = input.value;
    const at = location.pathname.slice(root.length);
    const response = await fetch(`${url}?${new URLSearchParams({ q: typed, at })}`).catch(() => undefined);
    const options = response?.ok ? await response.text() : '';
    if (mine !== latest) return;
    // The server has escaped user content.
    list.innerHTML = options;
    status.textContent = list.children.length === 0 ? nothing : `${list.children.length} ${found}`;
    select(list.firstElementChild);
    shown = typed;
    if (opensFirst && dialog.open) open(list.firstElementChild);
    opensFirst = false;
  };
  input.addEventListener('input', () => {
    opensFirst = false;
    clearTimeout(timer);
    timer = setTimeout(update, DELAY_MS);
  });
  input.addEventListener('keydown', (event) => {
    const current = list.querySelector('[aria-selected="true"]');
    if (event.key === 'Enter' && shown !== input.value) opensFirst = true;
    else if (event.key === 'Enter') open(current);
    else if (event.key === 'ArrowDown') select(current?.nextElementSibling ?? list.firstElementChild);
    else if (event.key === 'ArrowUp') select(current?.previousElementSibling ?? list.lastElementChild);
    else return;
    event.preventDefault();
  });
  list.addEventListener('click', (event) => open(event.target.closest('li')));
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  update();
}
