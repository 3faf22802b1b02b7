/** The type of a column, the same for both databases. */
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
 * A value as in both databases and in JSON: integers beyond 2^53 as digits, JSON as its text, bytes as base64. The type of the
 * column determines which it is.
 */
export type Value = string | number | boolean | null;
export type Row = readonly Value[];

/**
 * Tables derived from others: triggers rebuild them (the counts and the indexes of short texts), which the two databases store
 * differently, or they are rebuilt when they are read (the parts of documents of packages).
 */
const DERIVED: readonly string[] = [
  'account_counts',
  'address_counts',
  'email_texts',
  'package_blob_totals',
  'package_blocks',
  'package_fragments',
  'package_totals',
  'repository_counts',
  'repository_texts',
  'user_texts',
];

/** Tables of the schema itself, which the target has already. */
const OF_THE_SCHEMA = /^(kysely_|sqlite_|pg_)/;

/** Full-text indexes, of which the ids of indexed rows are copied; the words are derived from the texts. */
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

/** Whether a trigger writes rows that are not copied. The names of such triggers begin with that of their table. */
export function isOfDerived(trigger: string): boolean {
  return DERIVED.some((table) => trigger.startsWith(`${table}_`));
}

/** Tables that triggers of others read. */
const READ_BY_TRIGGERS: readonly string[] = ['users', 'package_blobs', 'package_versions'];

/** Tables in copying order: first those that triggers of others read, and full-text indexes last. */
export function inOrder(tables: readonly TableShape[]): TableShape[] {
  const rank = ({ name }: TableShape) => (isWordTable(name) ? READ_BY_TRIGGERS.length + 1 : orderOf(name));
  const orderOf = (name: string) => (READ_BY_TRIGGERS.includes(name) ? READ_BY_TRIGGERS.indexOf(name) : READ_BY_TRIGGERS.length);
  return [...tables, ...WORD_TABLES].sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

/** Sorts columns as {@link TableShape} has them. */
export function sortColumns(columns: readonly Column[]): Column[] {
  return [...columns].sort((a, b) => (a.name < b.name ? -1 : 1));
}
