// Cards of a board: moved by dragging, and by Shift and the arrow keys. Without this script each card has a form for it.
const board = document.querySelector('.board');
const status = document.getElementById('board-status');
let dragged;

for (const part of document.querySelectorAll('.with-script')) part.hidden = false;

board?.addEventListener('dragstart', (event) => {
  const card = event.target.closest('.card');
  if (!card?.draggable) return;
  dragged = { card, from: card.parentElement, next: card.nextElementSibling };
  event.dataTransfer.effectAllowed = 'move';
  event.dataTransfer.setData('text/plain', card.querySelector('a').href);
  card.classList.add('dragged');
});

board?.addEventListener('dragover', (event) => {
  const column = event.target.closest('.board-column');
  if (!dragged || !column) return;
  event.preventDefault();
  const list = column.querySelector('.board-cards');
  const next = [...list.children].find((card) => card !== dragged.card && event.clientY < middle(card));
  if (dragged.card.parentElement !== list || dragged.card.nextElementSibling !== (next ?? null)) list.insertBefore(dragged.card, next ?? null);
});

board?.addEventListener('drop', (event) => {
  if (!dragged) return;
  event.preventDefault();
  const { card, from, next } = dragged;
  dragged = undefined;
  card.classList.remove('dragged');
  if (card.parentElement !== from || card.nextElementSibling !== next) send(card);
});

// A drag that ends elsewhere moves no card.
board?.addEventListener('dragend', () => {
  if (!dragged) return;
  const { card, from, next } = dragged;
  dragged = undefined;
  card.classList.remove('dragged');
  from.insertBefore(card, next);
});

board?.addEventListener('keydown', (event) => {
  const card = event.target.closest('.card');
  if (!event.shiftKey || !card?.draggable || event.target.matches('input, select, textarea')) return;
  if (!shift(card, event.key)) return;
  event.preventDefault();
  card.querySelector('a').focus();
  send(card);
});

/** Moves a card by one position, or into the next column; false if there is none. */
function shift(card, key) {
  const list = card.parentElement;
  if (key === 'ArrowUp' && card.previousElementSibling) list.insertBefore(card, card.previousElementSibling);
  else if (key === 'ArrowDown' && card.nextElementSibling) list.insertBefore(card.nextElementSibling, card);
  else if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const column = card.closest('.board-column');
    const to = key === 'ArrowLeft' ? column.previousElementSibling : column.nextElementSibling;
    if (!to) return false;
    const cards = to.querySelector('.board-cards');
    cards.insertBefore(card, cards.children[[...list.children].indexOf(card)] ?? null);
  } else return false;
  return true;
}

function middle(card) {
  const { top, height } = card.getBoundingClientRect();
  return top + height / 2;
}

async function send(card) {
  const column = card.closest('.board-column');
  const form = card.querySelector('form');
  const fields = new URLSearchParams(new FormData(form));
  fields.set('column', column.dataset.column);
  fields.delete('position');
  // There may be more cards after the last one that is shown.
  const next = card.nextElementSibling;
  if (next) fields.set('before', next.dataset.issue);
  else if (card.previousElementSibling) fields.set('after', card.previousElementSibling.dataset.issue);
  count();
  const response = await fetch(form.action, { method: 'POST', body: fields, redirect: 'manual' });
  // Somebody else moved or deleted it, or it may no longer be moved.
  if (response.type !== 'opaqueredirect') return location.reload();
  form.elements.column.value = column.dataset.column;
  status.textContent = `${board.dataset.moved} ${column.getAttribute('aria-label')}`;
}

/** Shows how many cards each column has, among them those that the page does not show. */
function count() {
  for (const column of board.querySelectorAll('.board-column')) {
    const cards = column.querySelectorAll('.card').length;
    const shown = column.querySelector('.count');
    const total = Number(shown.dataset.total) + cards - Number(shown.dataset.shown);
    if (total === Number(shown.textContent.replaceAll(/\D/g, ''))) continue;
    shown.textContent = total.toLocaleString(document.documentElement.lang);
    // It is for the number that the page came with.
    shown.removeAttribute('aria-label');
    column.querySelector('.board-empty').hidden = cards > 0;
  }
}
