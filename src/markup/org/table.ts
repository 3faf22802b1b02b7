const SPECIAL = /^<([lcr])?\d*>$/;

/** Rows of an Org table, each beginning with `|`, as HTML. Rows above a first separator are its head; rows of `<l>`, `<c5>` only set columns. */
export function tableHtml(rows: readonly string[], cellHtml: (cell: string) => string): string {
  const separators = rows.map((row, index) => (/^\|[+-][+|-]*\s*$/.test(row) ? index : -1)).filter((index) => index >= 0);
  const last = rows.length - 1;
  const first = separators[0];
  let inHead = first !== undefined && first !== last && (first !== 0 || (separators.length > 1 && separators.at(-1) !== last));
  const cells = rows.map((row, index) =>
    separators.includes(index)
      ? []
      : row
          .split('|')
          .slice(1)
          .filter((cell, i, all) => cell !== '' || i < all.length - 1),
  );
  const columns = Math.max(0, ...cells.map((row) => row.length));
  let html = `<table>\n${inHead ? '<thead>' : '<tbody>'}\n`;
  cells.forEach((row, index) => {
    if (row.length === 0) {
      if (index !== 0 && index !== last) html += inHead ? '</thead>\n<tbody>\n' : '</tbody>\n<tbody>\n';
      if (index !== 0) inHead = false;
      return;
    }
    if (row.every((cell) => cell.trim() === '' || SPECIAL.test(cell.trim()))) return;
    const tag = inHead ? 'th' : 'td';
    html += '<tr>\n';
    for (let i = 0; i < columns; i++) html += `<${tag}>${cellHtml((row[i] ?? '').trim())}</${tag}>\n`;
    html += '</tr>\n';
  });
  return `${html}</tbody>\n</table>\n`;
}
