import { useEffect, useRef, useState } from 'preact/hooks';

/** The width of an element in whole pixels, followed while it changes; `unknown` before it is there. */
export function useWidth(unknown = 0) {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(unknown);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? unknown)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [unknown]);
  return { element, width };
}
