import { mayHave, trigramsOf } from '../index/filter.ts';
import { fold, foldTable } from '../index/fold.ts';
import { FileTable, GENERATED, VENDORED } from '../index/format.ts';
import type { Condition, Query } from '../query/query.ts';
import type { Clause } from '../query/requirements.ts';
import { matchersOf, pathMatcher } from './matcher.ts';

/*
 * The first half of a search, in a worker: which files of some indexes may match, by their filters, paths and languages.
 */

/** A request about some indexes. */
export interface ScanRequest {
  readonly query: Query;
  /** Their tables, in shared memory. */
  readonly tables: readonly SharedArrayBuffer[];
  /** More are not returned; those with the highest scores are. */
  readonly maxCandidates: number;
}

/** A file that may match. */
export interface Candidate {
  /** The position of its index in the request. */
  readonly index: number;
  readonly file: number;
  /** The score: higher is better. */
  readonly score: number;
}

/** The result of {@link run}. */
export interface ScanResult {
  readonly candidates: readonly Candidate[];
  /** There were more than that. */
  readonly isCut: boolean;
}

/** Files that no one would miss come last. */
const PENALTIES = { generated: 8, vendored: 6, test: 1, depth: 0.1 };
const TEST = /(?:^|[/._-])(?:tests?|specs?|mocks?|fixtures?|testdata)(?:[/._-]|$)/i;

foldTable();

/** @throws QueryError */
export function run({ query, tables, maxCandidates }: ScanRequest): ScanResult {
  const clauses = matchersOf(query).flatMap((matcher) => matcher.clauses);
  const wanted = clauses.map((clause) => clause.map((literal) => trigramsOf(literal)));
  const paths = query.paths.map(({ value, isNot }) => ({ matches: pathMatcher(value), isNot }));
  let candidates: Candidate[] = [];
  let isCut = false;
  const cut = () => {
    isCut ||= candidates.length > maxCandidates;
    candidates = candidates.toSorted((a, b) => b.score - a.score).slice(0, maxCandidates);
  };
  tables.forEach((memory, index) => {
    const table = new FileTable(memory);
    const isWanted = languageFilter(query.languages, table);
    for (let file = 0; file < table.count; file++) {
      if (!isWanted(file) || !hasAll(table, file, wanted)) continue;
      const path = table.path(file);
      if (paths.every(({ matches, isNot }) => matches(path) !== isNot)) {
        candidates.push({ index, file, score: scoreOf(path, table.flags(file), clauses) });
      }
    }
    if (candidates.length > 4 * maxCandidates) cut();
  });
  cut();
  return { candidates, isCut };
}

function hasAll(table: FileTable, file: number, wanted: readonly (readonly Uint32Array[])[]): boolean {
  const { start, length } = table.filter(file);
  return wanted.every((alternatives) => alternatives.some((trigrams) => mayHave(table.filters, start, length, trigrams)));
}

function languageFilter(conditions: readonly Condition[], table: FileTable): (file: number) => boolean {
  if (conditions.length === 0) return () => true;
  const fits = table.languages.map((names) =>
    conditions.every(({ value, isNot }) => names.some((name) => name.toLowerCase() === value) !== isNot),
  );
  return (file) => fits[table.languageId(file)] ?? false;
}

/** The score by the path alone, and whether the path matches. */
function scoreOf(path: string, flags: number, clauses: readonly Clause[]): number {
  const folded = fold(path);
  const name = folded.slice(folded.lastIndexOf('/') + 1);
  let score = -PENALTIES.depth * path.split('/').length;
  if (flags & GENERATED) score -= PENALTIES.generated;
  if (flags & VENDORED) score -= PENALTIES.vendored;
  if (TEST.test(path)) score -= PENALTIES.test;
  for (const clause of clauses) {
    if (clause.some((literal) => name.includes(literal))) score += 4;
    else if (clause.some((literal) => folded.includes(literal))) score += 1;
  }
  return score;
}
