// Comments: task boxes that are saved at once, quote replies, links to comments, buttons with matching labels.
for (const part of document.querySelectorAll('details .with-script')) part.hidden = false;

document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (!form.matches('form.tasks') || !event.submitter) return;
  event.preventDefault();
  const box = event.submitter;
  const ticked = box.getAttribute('aria-checked') === 'true';
  box.setAttribute('aria-checked', String(!ticked));
  const fields = new URLSearchParams(new FormData(form));
  fields.set(box.name, box.value);
  const response = await fetch(form.action, { method: 'POST', body: fields, redirect: 'manual' });
  // Somebody else changed the text, or it may no longer be changed.
  if (response.type !== 'opaqueredirect') location.reload();
});

document.addEventListener('click', (event) => {
  const quote = event.target.closest('[data-quote]');
  if (quote) {
    event.preventDefault();
    reply(document.getElementById(quote.dataset.quote));
  }
  const link = event.target.closest('[data-copy-link]');
  if (link) {
    event.preventDefault();
    navigator.clipboard.writeText(link.href);
    link.closest('details').open = false;
  }
});

/** Quotes the selection in a comment, or the whole comment. */
function reply(comment) {
  const area = document.querySelector('#new-comment textarea');
  if (!comment || !area) return;
  const selection = document.getSelection();
  const chosen = selection && comment.contains(selection.anchorNode) ? selection.toString().trim() : '';
  const text = chosen || comment.querySelector('template.source')?.content.textContent || '';
  const quoted = text.trim().replace(/^/gm, '> ');
  area.value += `${area.value && !area.value.endsWith('\n') ? '\n' : ''}${quoted}\n\n`;
  area.dispatchEvent(new Event('input', { bubbles: true }));
  for (const menu of comment.querySelectorAll('details[open]')) menu.open = false;
  area.focus();
  area.scrollIntoView({ block: 'center' });
}

// R replies to the focused comment, or to the one with the selection.
document.addEventListener('keydown', (event) => {
  if (event.key !== 'r' || event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, textarea, select')) return;
  const at = document.getSelection()?.anchorNode?.parentElement ?? document.activeElement;
  const comment = at?.closest('.comment');
  if (!comment) return;
  event.preventDefault();
  reply(comment);
});

// "Close" becomes "Comment and close" while the field has text.
for (const button of document.querySelectorAll('button[data-with-text]')) {
  const area = button.form.querySelector('textarea');
  const plain = button.textContent;
  const update = () => {
    button.textContent = area.value.trim() === '' ? plain : button.dataset.withText;
  };
  area.addEventListener('input', update);
  update();
}
