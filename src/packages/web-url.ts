/** The URL as it is, if it is one of HTTP; packages link to no others. */
export function webUrl(value: string | undefined): string | undefined {
  const url = value === undefined ? null : URL.parse(value);
  return url && ['http:', 'https:'].includes(url.protocol) ? value : undefined;
}
