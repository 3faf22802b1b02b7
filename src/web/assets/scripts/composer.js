// The field for Markdown: preview, tool bar, completion, files, drafts. Without this script it is a text area with a button for a preview.
import { startCompletion } from './completion.js';

const LINE_MARKS = { heading: '### ', quote: '> ', bulletList: '- ', numberedList: '1. ', taskList: '- [ ] ' };
const WORD_MARKS = { bold: ['**', '**'], italic: ['_', '_'], code: ['`', '`'], link: ['[', '](url)'] };
const DRAFT_DELAY_MS = 500;
/** Drafts are retained for 30 days. */
const DRAFT_MS = 30 * 24 * 3600 * 1000;
const KEYS = { b: 'bold', i: 'italic', k: 'link', e: 'code' };

forgetOldDrafts();
for (const composer of document.querySelectorAll('.composer')) start(composer);

function start(composer) {
  const area = composer.querySelector('textarea');
  for (const part of composer.querySelectorAll('.composer-bar, .with-script')) part.hidden = false;
  for (const part of composer.querySelectorAll('.without-script')) part.hidden = true;
  for (const button of composer.querySelectorAll('[data-tool]')) button.addEventListener('click', () => mark(area, button.dataset.tool));
  for (const tab of composer.querySelectorAll('[data-tab]')) tab.addEventListener('click', () => show(composer, area, tab.dataset.tab));
  area.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || !KEYS[event.key]) return;
    event.preventDefault();
    mark(area, KEYS[event.key]);
  });
  if (composer.dataset.draft) keepDraft(composer.dataset.draft, area);
  if (composer.dataset.upload) takeFiles(composer, area);
  startCompletion(area, composer.dataset.suggest, composer.dataset.suggestions);
}

/** Replaces the selection by a text, so that it can be undone. */
function insert(area, text, from = area.selectionStart, to = area.selectionEnd) {
  area.focus();
  area.setSelectionRange(from, to);
  if (!document.execCommand('insertText', false, text)) area.setRangeText(text, from, to, 'end');
  area.dispatchEvent(new Event('input', { bubbles: true }));
}

function mark(area, tool) {
  const { selectionStart: from, selectionEnd: to, value } = area;
  const chosen = value.slice(from, to);
  if (LINE_MARKS[tool]) {
    const start = value.lastIndexOf('\n', from - 1) + 1;
    return insert(area, value.slice(start, to).replace(/^/gm, LINE_MARKS[tool]), start, to);
  }
  const [before, after] = WORD_MARKS[tool];
  insert(area, before + chosen + after);
  if (chosen === '') area.setSelectionRange(from + before.length, from + before.length);
}

async function show(composer, area, name) {
  const preview = composer.querySelector('.composer-preview');
  for (const tab of composer.querySelectorAll('[data-tab]')) tab.setAttribute('aria-pressed', String(tab.dataset.tab === name));
  area.hidden = name === 'preview';
  preview.hidden = name !== 'preview';
  if (name === 'write') return area.focus();

  if (area.value.trim() === '') {
    preview.textContent = preview.dataset.nothing;
    return;
  }
  preview.setAttribute('aria-busy', 'true');
  const response = await fetch(composer.dataset.preview, { method: 'POST', body: new URLSearchParams({ text: area.value, _token: tokenOf(area) }) });
  // The server sanitizes the HTML.
  if (response.ok) preview.innerHTML = await response.text();
  else preview.textContent = `${response.status} ${response.statusText}`;
  preview.removeAttribute('aria-busy');
}

function tokenOf(area) {
  return area.form?.elements._token?.value ?? '';
}

/** The typed text survives closing the tab, until it is sent. */
function keepDraft(key, area) {
  const name = `draft ${key}`;
  const stored = read(name);
  if (stored && area.value === '') area.value = stored;
  let timer;
  area.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => write(name, area.value), DRAFT_DELAY_MS);
  });
  area.form?.addEventListener('submit', () => {
    clearTimeout(timer);
    write(name, '');
  });
}

/** The text of a draft; outdated drafts and those in another format are deleted. */
function read(name) {
  try {
    const { text, at } = JSON.parse(localStorage.getItem(name));
    if (Date.now() - at < DRAFT_MS) return text;
    localStorage.removeItem(name);
  } catch {
    // There is no draft, or storage is forbidden.
  }
  return null;
}

function write(name, text) {
  try {
    if (text === '') localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify({ text, at: Date.now() }));
  } catch {
    // Storage may be full, or forbidden: then there are no drafts.
  }
}

/** Deletes old drafts, also of other pages. */
function forgetOldDrafts() {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith('draft ')) read(name);
  } catch {
    // Storage is forbidden.
  }
}

function takeFiles(composer, area) {
  const take = (event, files) => {
    if (files.length === 0) return;
    event.preventDefault();
    for (const file of files) upload(composer, area, file);
  };
  area.addEventListener('paste', (event) => take(event, [...(event.clipboardData?.files ?? [])]));
  area.addEventListener('dragover', (event) => event.preventDefault());
  area.addEventListener('drop', (event) => take(event, [...(event.dataTransfer?.files ?? [])]));
}

/** Only XMLHttpRequest reports upload progress. */
function upload(composer, area, file) {
  const status = composer.querySelector('.composer-status');
  const request = new XMLHttpRequest();
  const form = new FormData();
  form.append('attachment', file, file.name);
  request.open('POST', composer.dataset.upload);
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    status.textContent = `${composer.dataset.uploading} ${file.name}: ${Math.floor((100 * loaded) / total)} %`;
  });
  const fail = () => {
    status.textContent = `${composer.dataset.failed} ${file.name}`;
  };
  request.addEventListener('error', fail);
  request.addEventListener('load', () => {
    if (request.status !== 200) return fail();
    const { uuid, name } = JSON.parse(request.responseText);
    const label = name.replace(/[\\[\]]/g, '\\$&');
    const path = composer.dataset.upload.replace(/[^/]*\/[^/]*\/issues\/attachments$/, '');
    status.textContent = '';
    insert(area, `${file.type.startsWith('image/') ? '!' : ''}[${label}](${path}attachments/${uuid})\n`);
  });
  request.send(form);
}
