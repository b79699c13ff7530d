// The only script that every page loads. React arrives with the first island; keep this entry and its imports tiny.
import { watchBuilds } from "./client/every-page/builds.ts";
import { startCurrentEntry } from "./client/every-page/current-entry.ts";
import { startDrops } from "./client/every-page/drops.ts";
import { startFilters } from "./client/every-page/filters.ts";
import { startIslands } from "./client/every-page/islands.ts";
import { startMenus } from "./client/every-page/menus.ts";
import { startNavigation } from "./client/every-page/navigation.ts";
import { startPalette } from "./client/every-page/palette.ts";
import { startScrollAreas } from "./client/every-page/scroll-areas.ts";
import { start } from "./client/every-page/start.ts";
import { reportTimeZone } from "./client/every-page/time-zone.ts";
import { startToasts, toast } from "./client/every-page/toasts.ts";
import { startTooltips } from "./client/every-page/tooltips.ts";

void startNavigation().then(() => startIslands(document, start.messages));
startMenus();
startFilters();
startToasts();
startTooltips();
startPalette();
startDrops();
startScrollAreas();
startCurrentEntry();
if (document.querySelector("[data-retries]")) void import("./client/every-page/retrying.ts");
watchBuilds();
reportTimeZone();
if (start.toast) toast(start.toast);
