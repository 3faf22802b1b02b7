import { de } from './de/catalogue.ts';
import { type Catalogue, en } from './en/catalogue.ts';

export type { Catalogue } from './en/catalogue.ts';

/** The languages of the pages. */
export type Language = 'de' | 'en';

const CATALOGUES: Readonly<Record<Language, Catalogue>> = { de, en };

/** The names of the languages, each in itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/** All texts of the pages in a language. */
export function catalogueOf(language: Language): Catalogue {
  return CATALOGUES[language];
}

/**
 * The language of a reader: the one that the account has chosen, else the first of the browser's that there is, else English.
 * @param chosen a language tag such as `de-DE`, or undefined
 * @param accepted the header Accept-Language (RFC 9110, 12.5.4)
 */
export function languageOf(chosen: string, accepted: string | undefined): Language {
  const weighted = (accepted ?? '')
    .split(',', 32)
    .map((part) => part.trim().split(/(?<!\s)\s*;\s*q=/))
    .map(([tag = '', weight = '1']) => ({ tag, weight: Number(weight) || 0 }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const tag of [chosen, ...weighted.map(({ tag }) => tag)]) {
    const language = tag.toLowerCase().split(/[-_]/, 1)[0];
    if (language === 'de' || language === 'en') return language;
  }
  return 'en';
}
