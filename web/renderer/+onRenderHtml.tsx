// Writes the document around a rendered page. A payload request gets no document: its JSON is in pageContext.rendered.
import "../components/styles.css";
import { dangerouslySkipEscape, escapeInject } from "vike/server";
import type { OnRenderHtmlAsync } from "vike/types";
import { documentHtml } from "./document.ts";
import { renderPage } from "./render-page.tsx";

export const onRenderHtml: OnRenderHtmlAsync = async (pageContext) => {
  // An unknown address has met no guard.
  await pageContext.request.viewer;
  const isPayload = pageContext.request.wantsPayload;
  const rendered = renderPage(pageContext, isPayload);
  return {
    documentHtml: isPayload
      ? escapeInject``
      : escapeInject`${dangerouslySkipEscape(documentHtml(rendered, pageContext.request))}`,
    pageContext: { rendered },
    // Preload what every page needs: the entry's own imports and one font; the other subset comes with its letters.
    injectFilter: (assets) => {
      for (const asset of assets) {
        if (asset.assetType === "script") asset.inject = "HTML_BEGIN";
        if (asset.assetType === "font" && !asset.src.includes("geist-latin-wght")) asset.inject = false;
      }
    },
  };
};
