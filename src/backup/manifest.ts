import { migrations as known } from '../database/migrations/index.ts';
import { COPSE_VERSION } from '../instance/version.ts';
import { BACKUP_FORMAT, BackupError } from './layout.ts';
import type { ColumnType, TableShape } from './rows/shape.ts';

/** A table of a backup. */
export interface BackupTable extends TableShape {
  readonly rows: number;
  /** See rows/checksum.ts. */
  readonly checksum: string;
}

/** The description of a backup. */
export interface Manifest {
  readonly format: number;
  /** The version of the program that made it. */
  readonly version: string;
  /** The time of its snapshot, in ISO 8601. */
  readonly createdAt: string;
  readonly database: 'sqlite' | 'postgres';
  readonly migrations: readonly string[];
  readonly tables: readonly BackupTable[];
  /** For each table with automatic ids the last that was given. */
  readonly sequences: Readonly<Record<string, number>>;
  /** A summary of the contents, for people. */
  readonly counts: Readonly<Record<'repositories' | 'blobs' | 'files' | 'bytes', number>>;
  /** The SHA-256 of the list of files. */
  readonly files: string;
}

const TYPES: readonly ColumnType[] = ['integer', 'text', 'boolean', 'json', 'bytes'];
const NAME = /^[a-z][a-z0-9_]{0,62}$/;

/**
 * Reads a manifest.
 * @throws BackupError for an invalid manifest, or one of a newer version
 */
export function parseManifest(text: string): Manifest {
  let value: Partial<Manifest>;
  try {
    value = JSON.parse(text) as Partial<Manifest>;
  } catch {
    throw new BackupError('the manifest of the backup cannot be read');
  }
  if (typeof value !== 'object' || value === null || typeof value.format !== 'number')
    throw new BackupError('this is not a backup of Copse');
  const newer = value.format > BACKUP_FORMAT || unknownMigrations(value).length > 0;
  if (newer)
    throw new BackupError(
      `the backup was made by a newer version (${String(value.version).slice(0, 50)}) than this one (${COPSE_VERSION})`,
    );
  if (!isManifest(value)) throw new BackupError('the manifest of the backup is damaged');
  return value;
}

function unknownMigrations({ migrations }: Partial<Manifest>): string[] {
  const names = new Set(known.map(({ name }) => name));
  return Array.isArray(migrations) ? migrations.filter((name) => !names.has(name)) : [];
}

function isManifest(value: Partial<Manifest>): value is Manifest {
  const { migrations, tables, sequences, counts, files, createdAt } = value;
  return (
    typeof createdAt === 'string' &&
    Array.isArray(migrations) &&
    // Later migrations are made after the rows have been restored, in their order.
    migrations.every((name, at) => name === known[at]?.name) &&
    Array.isArray(tables) &&
    tables.every(isTable) &&
    typeof sequences === 'object' &&
    Object.entries(sequences ?? {}).every(([name, last]) => NAME.test(name) && Number.isSafeInteger(last)) &&
    typeof counts === 'object' &&
    typeof files === 'string'
  );
}

function isTable({ name, columns, rows, checksum }: Partial<BackupTable>): boolean {
  const isNamed = typeof name === 'string' && NAME.test(name) && Number.isSafeInteger(rows) && typeof checksum === 'string';
  return isNamed && Array.isArray(columns) && columns.every((column) => NAME.test(column.name) && TYPES.includes(column.type));
}
