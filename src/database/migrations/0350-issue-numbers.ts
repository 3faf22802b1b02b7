import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SchemaMigration } from './schema-kit.ts';

const BATCH = 500;
const MAX_DIGITS = 15;
const MAX_ENDS = 500;

/** The ends of the numbers in issues (`comment_id` 0) and comments: searches find parts of numbers by their beginnings. */
export const issueNumbers: SchemaMigration = {
  name: '0350-issue-numbers',
  async up(kit) {
    await kit.table(
      'issue_numbers',
      { issue_id: 'ref:issues', comment_id: 'integer', repository_id: 'integer', digits: 'text' },
      { primaryKey: ['issue_id', 'comment_id', 'digits'] },
    );
    await kit.index('issue_numbers', ['digits', 'issue_id']);
    await kit.index('issue_numbers', ['repository_id', 'digits', 'issue_id']);
    await kit.trigger(
      'comment_numbers_end',
      'after delete on comments',
      'delete from issue_numbers where issue_id = old.issue_id and comment_id = old.id;',
    );
    const db = kit.db as Kysely<Texts>;
    // Comments of a review that is not submitted are in no index.
    const found = sql`and exists (select 1 from comment_words where ${sql.ref(kit.dialect === 'sqlite' ? 'rowid' : 'comment_id')} = comments.id)`;
    await copy(db, { table: 'issues', where: sql`` }, ({ id, repository_id, title, body }) => ({
      place: { issue_id: id, comment_id: 0, repository_id },
      texts: [title, body],
    }));
    await copy(db, { table: 'comments', where: found }, ({ id, issue_id, repository_id, body }) => ({
      place: { issue_id, comment_id: id, repository_id },
      texts: [body],
    }));
  },
};

interface Texts {
  issues: { id: number; issue_id: number; repository_id: number; title: string; body: string };
  comments: { id: number; issue_id: number; repository_id: number; title: string; body: string };
}

interface Numbers {
  place: { issue_id: number; comment_id: number; repository_id: number };
  texts: readonly string[];
}

interface Source {
  table: keyof Texts;
  /** Which of its rows. */
  where: RawBuilder<unknown>;
}

async function copy(db: Kysely<Texts>, { table, where }: Source, numbersOf: (row: Texts['issues']) => Numbers): Promise<void> {
  const columns = table === 'issues' ? sql`id, repository_id, title, body` : sql`id, issue_id, repository_id, body`;
  for (let last = 0; ; ) {
    const { rows } = await sql<Texts['issues']>`select ${columns} from ${sql.table(table)} where id > ${last} ${where}
      order by id limit ${BATCH}`.execute(db);
    if (rows.length === 0) return;
    for (const row of rows) await insert(db, numbersOf(row));
    last = rows.at(-1)?.id ?? last;
  }
}

async function insert(db: Kysely<Texts>, { place, texts }: Numbers): Promise<void> {
  const ends = new Set<string>();
  for (const { 0: run } of texts.join('\n').matchAll(/\d+/g)) {
    for (let start = 0; start < run.length && ends.size < MAX_ENDS; start++) ends.add(run.slice(start, start + MAX_DIGITS));
  }
  if (ends.size === 0) return;
  const values = [...ends].map((digits) => sql`(${place.issue_id}, ${place.comment_id}, ${place.repository_id}, ${digits})`);
  await sql`insert into issue_numbers (issue_id, comment_id, repository_id, digits) values ${sql.join(values)}`.execute(db);
}
