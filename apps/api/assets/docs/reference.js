/* Shows one of the two references. The operators' own needs an admin key, which stays in this page's memory. */

const isForOperators = location.pathname === '/docs/operators';
const source = isForOperators ? '/admin/v1/openapi.json' : '/openapi.json';
const element = (id) => document.getElementById(id);

for (const link of document.querySelectorAll('header nav a')) {
  if (link.pathname === location.pathname) link.setAttribute('aria-current', 'page');
}
if (isForOperators) {
  // A browser that follows the link sends no key.
  element('source').remove();
  element('ask').hidden = false;
  element('key').focus();
  element('ask').addEventListener('submit', (event) => {
    event.preventDefault();
    void show(element('key').value.trim());
  });
} else {
  void show();
}

async function show(key) {
  element('refused').textContent = '';
  try {
    const response = await fetch(source, key ? { headers: { 'x-api-key': key } } : {});
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.message);
    element('ask').hidden = true;
    render(answer, key);
  } catch (error) {
    element('refused').textContent = error.message;
    element('ask').hidden = false;
  }
}

function render(spec, key) {
  document.title = spec.info.title;
  const ui = window.SwaggerUIBundle({
    spec: here(spec),
    domNode: element('reference'),
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 2,
    displayRequestDuration: true,
    // Nothing is sent to anybody else, and no key outlives the page.
    validatorUrl: null,
    persistAuthorization: false,
    onComplete: () => {
      if (key) ui.preauthorizeApiKey('ApiKey', key);
    },
  });
}

/** Calls go to the origin of the page: other origins would refuse them. */
function here(spec) {
  const moved = (servers) =>
    servers.map((server) => ({
      ...server,
      url: location.origin + new URL(server.url).pathname.replace(/\/$/, ''),
    }));
  const paths = Object.fromEntries(
    Object.entries(spec.paths).map(([path, item]) => [
      path,
      item.servers ? { ...item, servers: moved(item.servers) } : item,
    ]),
  );
  return { ...spec, servers: moved(spec.servers), paths };
}
