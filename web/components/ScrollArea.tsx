// What scrolls inside a page. Its scroll bar is thin and there while it is needed: under the pointer, and while it scrolls
// (renderer/client/scroll-areas.ts). The scrolling itself is the browser's own. For islands too.
import type { ComponentProps } from "react";

export function ScrollArea({ className = "", ...props }: ComponentProps<"div">) {
  return <div {...props} data-scroll-area="" className={`scroll-area ${className}`} />;
}
