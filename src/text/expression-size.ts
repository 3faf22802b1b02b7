const COUNT = /\{(\d+)(?:,(\d*))?\}/y;

/** About how many characters an expression (RE2 syntax) has when all that it repeats a number of times is written out. */
export function expressionSize(expression: string): number {
  /** The sizes of the groups that are open, the outermost first. */
  const open = [0];
  /** The size of the last element, which a quantifier may repeat. */
  let last = 0;
  const add = (size: number) => {
    open[open.length - 1] = (open.at(-1) ?? 0) + size;
  };
  for (let at = 0; at < expression.length; at++) {
    const character = expression[at];
    COUNT.lastIndex = at;
    const [count = '', least, most] = (character === '{' && COUNT.exec(expression)) || [];
    if (count) {
      const times = Math.max(Number(least), Number(most ?? 0), 1);
      add(last * (times - 1));
      // A repeated repetition is repeated as a whole.
      last *= times;
      at += count.length - 1;
    } else if (character === '(') open.push(0);
    else {
      const end = character === '[' ? endOfClass(expression, at) : character === '\\' ? endOfEscape(expression, at) : at;
      last = character === ')' && open.length > 1 ? (open.pop() ?? 0) : 1;
      add(Math.max(last, character === '\\' ? end - at : 1));
      at = end;
    }
  }
  return open.reduce((sum, size) => sum + size, 0);
}

/** Where the class ends that begins here. */
function endOfClass(expression: string, start: number): number {
  let at = start + 1;
  if (expression[at] === '^') at++;
  if (expression[at] === ']') at++;
  while (at < expression.length && expression[at] !== ']') {
    if (expression[at] === '\\') at++;
    else if (expression.startsWith('[:', at)) at = Math.max(at, expression.slice(at, at + 20).indexOf(':]') + at + 1);
    at++;
  }
  return at;
}

/** Where the escape ends that begins here: it is a character, or all up to `\E` after `\Q`. */
function endOfEscape(expression: string, start: number): number {
  if (expression[start + 1] !== 'Q') return start + 1;
  const end = expression.indexOf('\\E', start);
  return end < 0 ? expression.length : end + 1;
}
