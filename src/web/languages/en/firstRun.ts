/** Texts of the page that creates the first administrator. */
export const firstRun = {
  title: 'Create the administrator account',
  explanation: 'There are no accounts yet. The server writes a code to its log when it starts. The code proves that the server is yours.',
  code: 'The code from the log',
  wrongCode: 'The code is incorrect.',
  name: 'User name',
  email: 'E-mail address',
  password: 'Password',
  retype: 'Confirm password',
  make: 'Create account',
};
