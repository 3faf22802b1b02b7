// The list of keys: those that work everywhere, and those of this page. It is loaded when first opened.

/** Shows the keys. @param link the link to their page */
export async function showShortcuts(link) {
  const response = await fetch(link.href).catch(() => undefined);
  const page = response?.ok && new DOMParser().parseFromString(await response.text(), 'text/html');
  const list = page && page.querySelector('dl.shortcuts');
  // Without it the page is opened.
  if (!list) return location.assign(link.href);
  const dialog = Object.assign(document.createElement('dialog'), { className: 'shortcut-list' });
  dialog.setAttribute('aria-label', link.textContent);
  dialog.append(element('h2', link.textContent), document.adoptNode(list));
  const own = keysOfPage();
  if (own.length > 0) {
    const more = Object.assign(document.createElement('dl'), { className: 'shortcuts' });
    for (const [keys, label] of own) more.append(keyTerm(keys), element('dd', label));
    dialog.append(element('h3', list.dataset.page), more);
  }
  const close = element('button', list.dataset.close);
  close.addEventListener('click', () => dialog.close());
  dialog.append(close);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function keysOfPage() {
  const shown = [...document.querySelectorAll('[data-key]')].filter((one) => one.dataset.key !== '/' && one.getClientRects().length > 0);
  return shown.map((one) => [one.dataset.key, labelOf(one)]);
}

function labelOf(element) {
  const copy = element.cloneNode(true);
  for (const count of copy.querySelectorAll('.count')) count.remove();
  return (element.getAttribute('aria-label') || copy.textContent || element.title).trim();
}

function keyTerm(keys) {
  const term = document.createElement('dt');
  for (const key of keys.split(' ')) term.append(element('kbd', key), ' ');
  return term;
}

function element(name, text) {
  return Object.assign(document.createElement(name), { textContent: text });
}
