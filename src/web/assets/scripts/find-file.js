// Go to file: filters the list while typing, without reloading the page. Enter opens the first file.
const input = document.querySelector('[data-find]');
let timer;
let last = input?.value ?? '';

input?.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(update, 120);
});

input?.form.addEventListener('submit', async (event) => {
  event.preventDefault();
  clearTimeout(timer);
  await update();
  const first = document.querySelector('.found-files a');
  if (first) location.assign(first.href);
});

async function update() {
  const query = input.value;
  if (query === last) return;
  last = query;
  const url = `${input.form.action}?${new URLSearchParams({ q: query })}`;
  const response = await fetch(url).catch(() => undefined);
  if (!response?.ok || query !== input.value) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const list = page.querySelector('.found-files, .empty');
  document.querySelector('.found-files, .empty')?.replaceWith(document.adoptNode(list));
  history.replaceState(null, '', url);
}
