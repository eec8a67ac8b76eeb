// Observable Plot writes a <style> into each picture, which a strict Content-Security-Policy refuses. Ours has the same rules.
import type { Plugin } from 'vite';

const inlineStyle = /\.call\(\(svg\) =>\s*\/\/[^\n]*\n\s*svg\.append\("style"\)\.text\(\s*`[^`]*`\s*\)\s*\)/;

export function plotWithoutInlineStyles(): Plugin {
  return {
    name: 'hlg-plot-without-inline-styles',
    transform(code, id) {
      if (!id.endsWith('/@observablehq/plot/src/plot.js')) return null;
      if (!inlineStyle.test(code)) throw new Error('Observable Plot writes its style differently now; see build/plot.ts');
      return { code: code.replace(inlineStyle, ''), map: null };
    },
  };
}
