import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { BackupFile } from './layout.ts';

/** Rows that are read from the index at a time. */
const BATCH = 500;

/** Columns of a repository's row in the snapshot. */
export interface SnapshotRepository {
  readonly id: number;
  readonly [column: string]: string | number | boolean | null;
}

/**
 * The state of a backup or restoration for each file, blob and repository, in a scratch database: memory does not grow with
 * their number. It is rebuilt after a crash.
 */
export class FileIndex {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** @param path of the scratch file */
  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    this.#database.exec(`pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -16000;
      create table files (id integer primary key, path text unique, size integer, modified integer, sha256 text, link text);
      create table previous (path text primary key, size integer, modified integer, sha256 text) without rowid;
      create table inodes (inode text primary key, path text) without rowid;
      create table blobs (id integer primary key, key text unique);
      create table repositories (id integer primary key, row text);
      create table pulls (repository_id integer, number integer, head text, primary key (repository_id, number)) without rowid;
      begin`);
  }

  /** Adds a file; false when there is one of this path. */
  add({ path, size, modified, sha256, link = '' }: BackupFile): boolean {
    const values = [path, size, modified, sha256, link];
    return this.#run('insert or ignore into files (path, size, modified, sha256, link) values (?, ?, ?, ?, ?)', ...values);
  }

  find(path: string): BackupFile | undefined {
    return this.#files('select path, size, modified, sha256, link from files where path = ?', path)[0];
  }

  addPrevious({ path, size, modified, sha256 }: BackupFile): void {
    this.#run('insert or ignore into previous values (?, ?, ?, ?)', path, size, modified, sha256);
  }

  /** The file of this path in the backup before. */
  previous(path: string): BackupFile | undefined {
    return this.#files("select path, size, modified, sha256, '' as link from previous where path = ?", path)[0];
  }

  /** All files, in the order of addition. */
  *files(): Generator<BackupFile> {
    for (let after = 0; ; ) {
      const rows = this.#prepare('select id, path, size, modified, sha256, link from files where id > ? order by id limit ?').all(
        after,
        BATCH,
      );
      yield* rows.map(toFile);
      if (rows.length < BATCH) return;
      after = Number(rows.at(-1)?.id);
    }
  }

  get totals(): { files: number; bytes: number } {
    const row = this.#prepare('select count(*) as files, coalesce(sum(size), 0) as bytes from files').get();
    return { files: Number(row?.files), bytes: Number(row?.bytes) };
  }

  /** The first path of a file with several names; `path` becomes the first if there is none. */
  firstName(inode: string, path: string): string {
    this.#run('insert or ignore into inodes values (?, ?)', inode, path);
    return String(this.#prepare('select path from inodes where inode = ?').get(inode)?.path);
  }

  addBlob(key: string): void {
    this.#run('insert or ignore into blobs (key) values (?)', key);
  }

  count(table: 'blobs' | 'repositories'): number {
    return Number(this.#prepare(`select count(*) as count from ${table}`).get()?.count);
  }

  *blobs(): Generator<string> {
    for (let after = 0; ; ) {
      const rows = this.#prepare('select id, key from blobs where id > ? order by id limit ?').all(after, BATCH);
      for (const { key } of rows) yield String(key);
      if (rows.length < BATCH) return;
      after = Number(rows.at(-1)?.id);
    }
  }

  addRepository(row: SnapshotRepository): void {
    this.#run('insert or replace into repositories values (?, ?)', row.id, JSON.stringify(row));
  }

  repository(id: number): SnapshotRepository | undefined {
    const row = this.#prepare('select row from repositories where id = ?').get(id);
    return row && (JSON.parse(String(row.row)) as SnapshotRepository);
  }

  *repositories(): Generator<SnapshotRepository> {
    for (let after = -1; ; ) {
      const rows = this.#prepare('select id, row from repositories where id > ? order by id limit ?').all(after, BATCH);
      for (const { row } of rows) yield JSON.parse(String(row)) as SnapshotRepository;
      if (rows.length < BATCH) return;
      after = Number(rows.at(-1)?.id);
    }
  }

  addPull(repositoryId: number, number: number, head: string): void {
    this.#run('insert or replace into pulls values (?, ?, ?)', repositoryId, number, head);
  }

  /** The heads of the pull requests of a repository, by number. */
  pulls(repositoryId: number): Map<number, string> {
    const rows = this.#prepare('select number, head from pulls where repository_id = ? order by number').all(repositoryId);
    return new Map(rows.map(({ number, head }) => [Number(number), String(head)]));
  }

  close(): void {
    this.#database.close();
  }

  #run(sql: string, ...values: (string | number)[]): boolean {
    return Number(this.#prepare(sql).run(...values).changes) > 0;
  }

  #files(sql: string, path: string): BackupFile[] {
    return this.#prepare(sql).all(path).map(toFile);
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function toFile({ path, size, modified, sha256, link }: Record<string, unknown>): BackupFile {
  const file = { path: String(path), size: Number(size), modified: Number(modified), sha256: String(sha256) };
  return link ? { ...file, link: String(link) } : file;
}
