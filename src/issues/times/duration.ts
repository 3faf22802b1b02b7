/** A duration in words: `2 hours 5 minutes`; seconds only for less than a minute, empty for none. */
export function durationInWords(seconds: number): string {
  const hours = count(Math.floor(seconds / 3600), 'hour');
  const minutes = count(Math.floor(seconds / 60) % 60, 'minute');
  const words = [hours, minutes].filter((part) => part !== '').join(' ');
  return words === '' ? count(seconds, 'second') : words;
}

function count(number: number, unit: string): string {
  if (number <= 0) return '';
  return number === 1 ? `1 ${unit}` : `${number} ${unit}s`;
}
