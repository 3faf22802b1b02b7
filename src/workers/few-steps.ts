/** Limits of the characters of patterns, and of those times the characters of texts: some milliseconds, about the cost of a worker. */
const FEW_CHARACTERS = 4000;
const FEW_STEPS = 400_000;

/** Whether patterns of so many characters are held against so many others in less time than a worker costs. */
export function takesFewSteps(ofPatterns: number, ofTexts: number): boolean {
  return ofPatterns <= FEW_CHARACTERS && ofPatterns * ofTexts <= FEW_STEPS;
}

/** The characters of all the texts. */
export function charactersOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}
