/** What a column holds, whichever database it is in. */
export type ColumnType = 'integer' | 'text' | 'boolean' | 'json' | 'bytes';

/** One column of a table. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

/** A table whose rows are copied. */
export interface TableShape {
  readonly name: string;
  /** In the order of their names, which is the order of the values in a row. */
  readonly columns: readonly Column[];
}

/**
 * A value as both databases and JSON have it: integers beyond 2^53 as their digits, JSON as its text, bytes as base64. The type of the
 * column says which it is.
 */
export type Value = string | number | boolean | null;
export type Row = readonly Value[];

/**
 * What follows from other tables: triggers make it again (the counts and the indexes of short texts), which the two databases keep in
 * different ways, or it is made again when it is read (the parts of documents of packages).
 */
const DERIVED: readonly string[] = [
  'account_counts',
  'address_counts',
  'email_texts',
  'package_blocks',
  'package_fragments',
  'repository_counts',
  'repository_texts',
  'user_texts',
];

/** Tables of the schema itself, which the target has already. */
const OF_THE_SCHEMA = /^(kysely_|sqlite_|pg_)/;

/** The indexes of words, as which the ids of what is indexed are copied; the words follow from the texts. */
export const WORD_TABLES: readonly TableShape[] = [
  { name: 'comment_words', columns: [{ name: 'comment_id', type: 'integer' }] },
  { name: 'issue_words', columns: [{ name: 'issue_id', type: 'integer' }] },
];

/** Whether a table is copied row by row. */
export function isCopied(table: string): boolean {
  return !OF_THE_SCHEMA.test(table) && !DERIVED.includes(table) && !isWordTable(table);
}

/** Whether this is one of {@link WORD_TABLES}. */
export function isWordTable(table: string): boolean {
  return WORD_TABLES.some(({ name }) => name === table);
}

/** Whether a trigger writes what is not copied. The names of such triggers begin with that of their table. */
export function isOfDerived(trigger: string): boolean {
  return DERIVED.some((table) => trigger.startsWith(`${table}_`));
}

/** Tables in the order in which they are copied: people first, as triggers of others look at them, and words at last. */
export function inOrder(tables: readonly TableShape[]): TableShape[] {
  const rank = ({ name }: TableShape) => (name === 'users' ? 0 : isWordTable(name) ? 2 : 1);
  return [...tables, ...WORD_TABLES].sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

/** Sorts columns as {@link TableShape} has them. */
export function sortColumns(columns: readonly Column[]): Column[] {
  return [...columns].sort((a, b) => (a.name < b.name ? -1 : 1));
}
