/**
 * Presents each row once, for a list in which few rows occur often, such as users and owners.
 * @param present must return the same for rows of one id, as it does within one response
 */
export function presentOnce<R extends { readonly id: number }, S>(present: (row: R) => S): (row: R) => S {
  const known = new Map<number, S>();
  return (row) => {
    const found = known.get(row.id) ?? present(row);
    known.set(row.id, found);
    return found;
  };
}
