/** One moved ref; an id of zeros stands for none. */
export interface RefUpdate {
  ref: string;
  oldId: string;
  newId: string;
}
