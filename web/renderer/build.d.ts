// Types of the keys that our pages add to vike's, and of what the web server puts on each pageContext.

import type { LayoutName } from "../layouts/layouts.ts";
import type { RequestScope } from "../server/request-scope.ts";
import type { Action, FormState } from "./action.ts";
import type { Rendered } from "./rendered.ts";
import type { TitleOf } from "./title.ts";

declare global {
  /** The id of this build, put in by vite.config.ts. */
  const __BUILD_ID__: string;
  namespace Vike {
    interface Config {
      /** Which of the layouts wraps the page. */
      layout?: LayoutName;
      /** Who may open the page; see +guard.ts. */
      access?: "public" | "loggedOutOnly" | "user" | "team" | "admin";
      /** The document's title, without the product's name. */
      title?: TitleOf;
      /** What a POST to the page does; see action.ts. */
      action?: Action;
    }
    interface PageContext {
      request: RequestScope;
      /** Set by the page's action when its form has to be shown again. */
      form?: FormState;
      /** What onRenderHtml made, for the web server to send as a document or as a payload. */
      rendered?: Rendered;
    }
  }
}
