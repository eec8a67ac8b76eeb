// Puts a page's script and style into its HTML, tells the Content-Security-Policy that allows exactly these two, and
// compresses the whole: PAGE.html.gz and PAGE.csp, which CMake embeds.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What a page may do: run its own script, ask its own server, show its own pictures; nothing else. */
function policy(script: string, style: string, connect: string): string {
  return [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    `connect-src ${connect}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** Bytes inside <script> end at the first closing tag, whatever the language thinks. */
const scriptSafe = (code: string) => code.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '\\x3C!--');

export function oneFile(page: string): Plugin {
  return {
    name: 'hlg-one-file',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const files = Object.values(bundle);
      const html = files.find((file) => file.fileName === `${page}.html`);
      const chunks = files.filter((file) => file.type === 'chunk');
      const sheets = files.filter((file) => file.fileName.endsWith('.css'));
      if (html?.type !== 'asset' || chunks.length !== 1 || sheets.length !== 1 || sheets[0]?.type !== 'asset')
        throw new Error(`${page}: expected one page, one script and one style, got ${files.map((file) => file.fileName)}`);
      const script = scriptSafe(chunks[0]?.code.trim() ?? '');
      const style = String(sheets[0].source).trim();
      // A page that was mailed has no server to send its policy.
      const meta = `<meta http-equiv="Content-Security-Policy" content="${policy(script, style, "'none'")}">`;
      const text = String(html.source)
        .replace(/\s*<script type="module"[^>]*><\/script>/, '')
        .replace(/\s*<link rel="stylesheet"[^>]*>/, '')
        .replace('<meta charset="utf-8">', (charset) => (page === 'report' ? `${charset}\n${meta}` : charset))
        .replace('</head>', () => `<style>${style}</style>\n</head>`)
        .replace('</body>', () => `<script type="module">${script}</script>\n</body>`);
      for (const file of files) delete bundle[file.fileName];
      this.emitFile({ type: 'asset', fileName: `${page}.html.gz`, source: gzipSync(text, { level: 9 }) });
      const header = `${policy(script, style, "'self'")}; frame-ancestors 'none'`;
      this.emitFile({ type: 'asset', fileName: `${page}.csp`, source: `${header}\n` });
    },
  };
}
