// The forms that change code: the preview without leaving the page, files by dropping, the progress of an upload, a question before
// leaving. Without this script each of them is a plain form.
const form = document.querySelector('.edit-form');
if (form) start(form);

function start(form) {
  for (const part of form.querySelectorAll('.with-script')) part.hidden = false;
  startBranchChoice(form);
  startPreview(form);
  const zone = form.querySelector('[data-drop]');
  if (zone) startUpload(form, zone);
  let isChanged = false;
  form.addEventListener('input', () => {
    isChanged = true;
  });
  form.addEventListener('submit', () => {
    isChanged = false;
  });
  addEventListener('beforeunload', (event) => {
    if (isChanged) event.preventDefault();
  });
}

/** The name of a new branch is only required if one is created. */
function startBranchChoice(form) {
  const name = form.querySelector('.new-branch-name');
  const show = () => {
    const choice = form.querySelector('input[name="commit_choice"]:is(:checked, [type="hidden"])');
    if (name) name.hidden = choice?.value === 'direct';
  };
  form.addEventListener('change', show);
  show();
}

/** The response is the form itself with a preview: only the preview is used. */
function startPreview(form) {
  const button = form.querySelector('button[name="preview"]');
  const shown = form.querySelector('.edit-preview');
  if (!button || !shown) return;
  button.addEventListener('click', async (event) => {
    event.preventDefault();
    const fields = new FormData(form);
    fields.set('preview', '1');
    button.disabled = true;
    try {
      const response = await fetch(form.action, { method: 'POST', body: new URLSearchParams(fields) });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const found = page.querySelector('.edit-preview:not([hidden])') ?? page.querySelector('.fault');
      shown.replaceChildren(...(found ? (found.matches('.fault') ? [found] : found.childNodes) : []));
      shown.hidden = false;
      shown.focus();
      shown.scrollIntoView({ block: 'nearest' });
    } finally {
      button.disabled = false;
    }
  });
}

function startUpload(form, zone) {
  const input = zone.querySelector('input[type="file"]');
  const list = zone.querySelector('.chosen-files');
  const show = () => {
    list.replaceChildren(
      ...[...input.files].map(({ name, size }) => {
        const row = document.createElement('li');
        row.textContent = `${name} (${Math.ceil(size / 1024)} KiB)`;
        return row;
      }),
    );
  };
  input.addEventListener('change', show);
  for (const type of ['dragover', 'dragleave', 'drop'])
    zone.addEventListener(type, (event) => {
      event.preventDefault();
      zone.classList.toggle('over', type === 'dragover');
    });
  zone.addEventListener('drop', ({ dataTransfer }) => {
    const all = new DataTransfer();
    for (const file of [...input.files, ...dataTransfer.files]) all.items.add(file);
    input.files = all.files;
    show();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(form, zone.querySelector('progress'));
  });
}

/** Sent by a script, since only that reports progress. The response replaces this page. */
function send(form, progress) {
  const request = new XMLHttpRequest();
  const buttons = form.querySelectorAll('button');
  for (const button of buttons) button.disabled = true;
  progress.hidden = false;
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    progress.value = (100 * loaded) / total;
  });
  request.addEventListener('load', () => {
    if (request.status < 400) {
      location.assign(request.responseURL);
      return;
    }
    const page = new DOMParser().parseFromString(request.responseText, 'text/html');
    const fault = page.querySelector('.fault');
    form.parentElement.querySelector('.fault')?.remove();
    if (fault) {
      form.before(fault);
      fault.scrollIntoView();
    }
  });
  request.addEventListener('loadend', () => {
    progress.hidden = true;
    for (const button of buttons) button.disabled = false;
  });
  request.open('POST', form.action);
  request.send(new FormData(form));
}
