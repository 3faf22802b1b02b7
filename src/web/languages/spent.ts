/** A time spent, such as `5 h 20 min`; less than a minute counts as one. @param hour the sign of hours @param minute the sign of minutes */
export function spent(seconds: number, hour: string, minute: string): string {
  const minutes = Math.max(seconds > 0 ? 1 : 0, Math.round(seconds / 60));
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && `${hours} ${hour}`, (rest > 0 || hours === 0) && `${rest} ${minute}`].filter(Boolean).join(' ');
}
