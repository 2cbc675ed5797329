import { render } from 'preact';
import { Page } from './page/page.js';

const root = document.getElementById('page');
if (!root) throw new Error('the document has no element for the page');
document.documentElement.classList.toggle('embedded', window.parent !== window);
render(<Page address={location.pathname.replace(/\/+$/, '')} />, root);
