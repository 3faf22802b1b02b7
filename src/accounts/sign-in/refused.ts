/** The message of every failed sign-in, for any reason. */
export const REFUSED = 'invalid username, password or token';
