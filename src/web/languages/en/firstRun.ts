/** Texts of the page that creates the first administrator. */
export const firstRun = {
  title: 'Make the administrator',
  explanation: 'Nobody has an account here yet. The log of the server shows a code at its start, which proves that the server is yours.',
  code: 'The code from the log',
  wrongCode: 'The code is not right.',
  name: 'User name',
  email: 'E-mail address',
  password: 'Password',
  retype: 'The password again',
  make: 'Make the account',
};
