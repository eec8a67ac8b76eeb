// Each page becomes one file that needs nothing beside it: `vite build --mode report` and `--mode playground`.
import { defineConfig } from 'vite';
import { oneFile } from './build/one_file.ts';
import { plotWithoutInlineStyles } from './build/plot.ts';

export default defineConfig(({ mode }) => ({
  plugins: [plotWithoutInlineStyles(), oneFile(mode)],
  build: {
    // light-dark() and color-mix() in CSS; what these browsers lack would be rewritten.
    target: ['chrome123', 'firefox121', 'safari17.5'],
    outDir: process.env.HLG_WEB_OUT ?? 'dist',
    emptyOutDir: false,
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: Number.POSITIVE_INFINITY,
    rolldownOptions: { input: `${mode}.html` },
    reportCompressedSize: false,
  },
  cacheDir: '../build/web',
  test: { include: ['tests/**/*.test.{ts,tsx}'] },
}));
