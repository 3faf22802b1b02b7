// The palette: a field over the page whose list leads to repositories, issues and pages. It is loaded when it is first opened.
const DELAY_MS = 100;

let dialog;

/** Opens the palette. @param link the link that it stands for; it has the texts and the address of the list */
export function openPalette(link) {
  dialog ??= build(link);
  if (dialog.open) return;
  dialog.showModal();
  const input = dialog.querySelector('input');
  input.select();
  input.dispatchEvent(new Event('input'));
}

function build(link) {
  const { palette: url, placeholder, results, nothing, found, root } = link.dataset;
  const made = document.createElement('dialog');
  made.className = 'palette';
  made.setAttribute('aria-label', link.title);
  const input = Object.assign(document.createElement('input'), { type: 'text', placeholder, autocomplete: 'off', spellcheck: false, maxLength: 100 });
  for (const [name, value] of Object.entries({ role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'palette-list', 'aria-autocomplete': 'list', 'aria-label': link.title }))
    input.setAttribute(name, value);
  const list = Object.assign(document.createElement('ul'), { id: 'palette-list', role: 'listbox' });
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', results);
  const status = Object.assign(document.createElement('p'), { className: 'muted' });
  status.setAttribute('role', 'status');
  made.append(input, list, status);
  document.body.append(made);

  let timer;
  let latest = 0;
  const select = (option) => {
    for (const other of list.children) other.setAttribute('aria-selected', String(other === option));
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
    option?.scrollIntoView({ block: 'nearest' });
  };
  const open = (option) => {
    if (!option) return;
    made.close();
    location.assign(option.dataset.href);
  };
  const update = async () => {
    latest += 1;
    const mine = latest;
    const at = location.pathname.slice(root.length);
    const response = await fetch(`${url}?${new URLSearchParams({ q: input.value, at })}`).catch(() => undefined);
    if (mine !== latest) return;
    // The server has escaped what people wrote.
    list.innerHTML = response?.ok ? await response.text() : '';
    status.textContent = list.children.length === 0 ? nothing : `${list.children.length} ${found}`;
    select(list.firstElementChild);
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(update, DELAY_MS);
  });
  input.addEventListener('keydown', (event) => {
    const current = list.querySelector('[aria-selected="true"]');
    if (event.key === 'Enter') open(current);
    else if (event.key === 'ArrowDown') select(current?.nextElementSibling ?? list.firstElementChild);
    else if (event.key === 'ArrowUp') select(current?.previousElementSibling ?? list.lastElementChild);
    else return;
    event.preventDefault();
  });
  list.addEventListener('click', (event) => open(event.target.closest('li')));
  made.addEventListener('click', (event) => event.target === made && made.close());
  return made;
}
