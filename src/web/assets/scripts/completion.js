// Completion of people (@), issues (#) and emoji (:) while typing.
const WORD = /(?:^|[\s([])([@#:][^\s@#:]{0,40})$/;
const DELAY_MS = 120;

/** Starts completion in a text area. @param url the URL of suggestions @param label the label of the list */
export function startCompletion(area, url, label) {
  const list = document.createElement('ul');
  list.id = `${area.id}-suggestions`;
  list.className = 'suggestions';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', label);
  list.hidden = true;
  area.after(list);
  area.setAttribute('aria-controls', list.id);
  area.setAttribute('aria-autocomplete', 'list');
  let timer;
  let latest = 0;

  const word = () => WORD.exec(area.value.slice(0, area.selectionStart))?.[1];
  const close = () => {
    list.hidden = true;
    area.removeAttribute('aria-activedescendant');
  };
  const choose = (option) => {
    const end = area.selectionStart;
    area.setRangeText(`${option.dataset.value} `, end - (word()?.length ?? 0), end, 'end');
    area.dispatchEvent(new Event('input', { bubbles: true }));
    close();
    area.focus();
  };
  const select = (option) => {
    for (const other of list.children) other.setAttribute('aria-selected', String(other === option));
    area.setAttribute('aria-activedescendant', option.id);
  };
  const suggest = async () => {
    const typed = word();
    if (!typed || (typed[0] === ':' && typed.length < 3)) return close();
    latest += 1;
    const mine = latest;
    const response = await fetch(`${url}?${new URLSearchParams({ kind: typed[0], q: typed.slice(1) })}`);
    if (mine !== latest || !response.ok) return;
    const found = await response.json();
    list.replaceChildren(...found.map(({ value, label }, index) => optionOf(list, value, label, index)));
    list.hidden = found.length === 0;
    if (found.length > 0) select(list.firstElementChild);
  };

  area.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(suggest, DELAY_MS);
  });
  area.addEventListener('blur', () => setTimeout(close, 150));
  list.addEventListener('mousedown', (event) => {
    event.preventDefault();
    const option = event.target.closest('li');
    if (option) choose(option);
  });
  area.addEventListener('keydown', (event) => {
    if (list.hidden) return;
    const current = list.querySelector('[aria-selected="true"]');
    if (event.key === 'Escape') close();
    else if ((event.key === 'Enter' || event.key === 'Tab') && current && !event.ctrlKey && !event.metaKey) choose(current);
    else if (event.key === 'ArrowDown') select(current?.nextElementSibling ?? list.firstElementChild);
    else if (event.key === 'ArrowUp') select(current?.previousElementSibling ?? list.lastElementChild);
    else return;
    event.preventDefault();
  });
}

function optionOf(list, value, label, index) {
  const option = document.createElement('li');
  option.id = `${list.id}-${index}`;
  option.setAttribute('role', 'option');
  option.dataset.value = value;
  const name = document.createElement('strong');
  name.textContent = value;
  option.append(name, ` ${label}`);
  return option;
}
