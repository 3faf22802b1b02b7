import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { contains, containsAnyCase } from '../../database/contains.ts';
import type { Tables } from '../../database/tables.ts';
import { mayContain } from '../../database/texts.ts';
import type { RepositorySearch } from './repository-search.ts';

type Where = ExpressionBuilder<Tables, 'repositories' | 'users'>;

/** Maximum number of words of a search. */
const MAX_KEYWORDS = 20;

/** The words of a search, in lower case. */
export function keywordsOf({ keyword = '' }: Pick<RepositorySearch, 'keyword'>): string[] {
  return keyword
    .toLowerCase()
    .split(',')
    .filter((word) => word !== '')
    .slice(0, MAX_KEYWORDS);
}

/** The condition that one of the words is in a name, a topic or, if requested, a description. */
export function hasWord(context: Context, search: RepositorySearch, words: readonly string[], where: Where): Expression<SqlBool> {
  const found = where.or(words.flatMap((word) => matches(search, word, where)));
  const candidates = mayHaveWord(context, search, words, where);
  return candidates ? where.and([where('repositories.id', 'in', candidates), found]) : found;
}

function matches(search: RepositorySearch, word: string, where: Where): Expression<SqlBool>[] {
  const found: Expression<SqlBool>[] = [where('repositories.id', 'in', withTopic(search, word, where))];
  if (search.topicOnly) return found;
  found.push(contains(sql.ref('repositories.lower_name'), word));
  const [owner, name] = ownerAndName(search, word);
  if (owner !== undefined && name !== undefined) {
    found.push(where.and([contains(sql.ref('users.lower_name'), owner), contains(sql.ref('repositories.lower_name'), name)]));
  }
  if (search.inDescription) found.push(containsAnyCase(sql`repositories.description`, word));
  return found;
}

/** The ids of possible matches of one of the words, by the indexes; undefined if a word is too short for them. */
function mayHaveWord({ database }: Context, search: RepositorySearch, words: readonly string[], where: Where) {
  const parts = words.flatMap((word) => {
    const topics = sql<number>`select repository_id from ${withTopic(search, word, where)} as topics`;
    if (search.topicOnly) return [topics];
    const texts = [word, ...ownerAndName(search, word).slice(1)].map((text) => mayContain(database, 'repositories', text));
    return [topics, ...texts.map((ids) => ids && sql<number>`select id from ${ids} as texts`)];
  });
  return parts.every((part) => part !== undefined) ? sql<number>`(${sql.join(parts, sql` union `)})` : undefined;
}

function withTopic({ topicOnly }: RepositorySearch, word: string, where: Where) {
  return where
    .selectFrom('repository_topics')
    .innerJoin('topics', 'topics.id', 'repository_topics.topic_id')
    .select('repository_topics.repository_id')
    .where(topicOnly ? sql<SqlBool>`topics.name = ${word}` : contains(sql.ref('topics.name'), word));
}

/** The two parts of a word like `owner/name`; undefined for another. */
function ownerAndName({ teamId }: RepositorySearch, word: string): string[] {
  const parts = word.split('/');
  return parts.length === 2 && !teamId ? parts : [];
}
