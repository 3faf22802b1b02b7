/*
 * `record.ts FOLDER`: records the stopped Gitea (SQLite) of a folder, which fill.ts has filled, as the source that tests import: the tables as SQL, the
 * repositories as bundles, the other files as they are.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** What changes with the time of day, or is not part of an import. */
const WITHOUT_ROWS = ['session', 'hook_task', 'app_state', 'email_hash', 'task', 'notice', 'repo_indexer_status', 'issue_content_history'];

const folder = process.argv[2] ?? '';
const target = join(import.meta.dirname, 'gitea');
writeFileSync(join(target, 'source.sql'), dump(new DatabaseSync(join(folder, 'data/gitea.db'), { readOnly: true })));
const files: Record<string, string> = {};
for (const path of globSync('{attachments,avatars,repo-avatars,lfs,packages,actions_log,actions_artifacts}/**/*', {
  cwd: join(folder, 'data'),
  withFileTypes: true,
})) {
  if (path.isFile()) files[join(path.parentPath, path.name).slice(join(folder, 'data/').length)] = encode(join(path.parentPath, path.name));
}
const bundles: Record<string, string> = {};
for (const path of globSync('*/*.git', { cwd: join(folder, 'repos') })) {
  const git = (...args: string[]) => execFileSync('git', ['-c', 'safe.directory=*', '-C', join(folder, 'repos', path), ...args]);
  if (git('for-each-ref').length > 0) bundles[path] = git('bundle', 'create', '-q', '-', '--all').toString('base64');
}
writeFileSync(join(target, 'files.json'), `${JSON.stringify({ files, bundles }, null, 2)}\n`);

function encode(path: string): string {
  return readFileSync(path).toString('base64');
}

function dump(database: DatabaseSync): string {
  const tables = database
    .prepare("select name, sql from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
    .all();
  const lines = tables.flatMap(({ name, sql }) => [
    `${sql};`,
    ...(WITHOUT_ROWS.includes(String(name)) ? [] : rowsOf(database, String(name))),
  ]);
  return `${lines.join('\n')}\n`;
}

function rowsOf(database: DatabaseSync, table: string): string[] {
  const columns = database
    .prepare('select name from pragma_table_info(?)')
    .all(table)
    .map(({ name }) => `\`${name}\``);
  const quotes = columns.map((column) => `quote(${column})`).join(` || ', ' || `);
  const rows = database.prepare(`select ${quotes} as line from \`${table}\``).all();
  // Empty columns are most of a row.
  return rows.map(({ line }) => `INSERT INTO \`${table}\` VALUES (${line});`);
}
