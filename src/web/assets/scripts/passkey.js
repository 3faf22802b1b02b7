// Forms that a passkey fills in: the browser requests a signature of the device, and the form is sent with it.
const BINARY = ['challenge', 'id'];

for (const form of document.querySelectorAll('form[data-passkey]')) if (window.PublicKeyCredential) start(form);

function start(form) {
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const problem = form.querySelector('[role=alert]');
    const button = form.querySelector('button');
    problem.hidden = true;
    button.disabled = true;
    try {
      form.elements.credential.value = JSON.stringify(await credentialFor(form));
      form.submit();
    } catch (error) {
      problem.textContent = error instanceof Refusal ? error.message : form.dataset.failed;
      problem.hidden = false;
      button.disabled = false;
    }
  });
}

/** The error message of the server. */
class Refusal extends Error {}

async function credentialFor(form) {
  const { passkey: kind, options } = form.dataset;
  const request = kind === 'create' ? { method: 'POST', body: new URLSearchParams(new FormData(form)) } : {};
  const response = await fetch(options, request);
  if (!response.ok) throw new Refusal(await reasonOf(response));
  const { publicKey } = await response.json();
  const credential = await navigator.credentials[kind]({ publicKey: decoded(publicKey) });
  return encoded(credential, kind);
}

async function reasonOf(response) {
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  return page.querySelector('.fault, main p')?.textContent ?? `${response.status} ${response.statusText}`;
}

/** The options with bytes in place of the texts in their JSON. */
function decoded(options) {
  const withBytes = (object) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, BINARY.includes(name) ? bytes(value) : value]));
  return {
    ...options,
    challenge: bytes(options.challenge),
    ...(options.user && { user: withBytes(options.user) }),
    ...(options.excludeCredentials && { excludeCredentials: options.excludeCredentials.map(withBytes) }),
    ...(options.allowCredentials && { allowCredentials: options.allowCredentials.map(withBytes) }),
  };
}

/** The JSON form of a credential, which not all browsers support. */
function encoded({ id, rawId, type, response, authenticatorAttachment }, kind) {
  const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } = response;
  const parts = kind === 'create' ? { attestationObject } : { authenticatorData, signature, userHandle };
  const texts = Object.entries({ clientDataJSON, ...parts }).flatMap(([name, value]) => (value ? [[name, text(value)]] : []));
  const transports = kind === 'create' ? { transports: response.getTransports?.() ?? [] } : {};
  return { id, rawId: text(rawId), type, authenticatorAttachment, clientExtensionResults: {}, response: { ...Object.fromEntries(texts), ...transports } };
}

function bytes(base64url) {
  return Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
}

function text(buffer) {
  return btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
