/**
 * Makes the function that writes a number with its noun in a language that has two forms, such as `1 commit`, `1,200 commits`.
 * @param locale a language tag
 */
export function counted(locale: string): (number: number, one: string, other: string) => string {
  const format = new Intl.NumberFormat(locale);
  const rules = new Intl.PluralRules(locale);
  return (number, one, other) => `${format.format(number)} ${rules.select(number) === 'one' ? one : other}`;
}

/** Makes the function that writes numbers with the separators of a language. */
export function grouped(locale: string): (number: number) => string {
  const format = new Intl.NumberFormat(locale);
  return (number) => format.format(number);
}
