// Generated notes of a release. Without this script the button sends the form, which is shown again with the notes.
for (const button of document.querySelectorAll('button[data-notes]')) {
  // Otherwise Enter in a field would press it, as the first button of the form.
  button.type = 'button';
  button.addEventListener('click', () => generate(button));
}

async function generate(button) {
  const { elements } = button.form;
  const status = button.form.querySelector('.notes-status');
  const names = ['_token', 'tag_name', 'tag_target', 'previous_tag'];
  const body = new URLSearchParams(names.map((name) => [name, elements[name]?.value ?? '']));
  button.disabled = true;
  const response = await fetch(button.dataset.notes, { method: 'POST', body, headers: { accept: 'application/json' } }).catch(() => undefined);
  const answer = await response?.json().catch(() => undefined);
  button.disabled = false;
  status.textContent = answer?.errorMessage ?? '';
  if (answer?.content === undefined) return;
  const area = elements.content;
  area.value = area.value.trim() === '' ? answer.content : `${area.value.trimEnd()}\n\n${answer.content}`;
  area.dispatchEvent(new Event('input', { bubbles: true }));
  area.focus();
}
