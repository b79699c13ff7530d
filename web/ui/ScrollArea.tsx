// A scrollable area inside a page. Its thin scroll bar shows under the pointer and while it scrolls
// (client/every-page/scroll-areas.ts). Scrolling itself is native. For islands too.
import type { ComponentProps } from "react";

export function ScrollArea({ className = "", ...props }: ComponentProps<"div">) {
  return <div {...props} data-scroll-area="" className={`scroll-area ${className}`} />;
}
